import type * as zod from 'zod';
import type { CcmKey } from '../../../common/wire/coordination/ccm-notification';
import { CCM_KEY_LENGTHS } from '../../../common/wire/coordination/ccm-notification';
import { SwitchKeys } from '../../feedback/switch-keys';
import { hmacSha256 } from './hmac';
import { readSecretDocument } from './secret-document';

const keysById = ({ z }: typeof zod, digits: RegExp, wanted: string) =>
  z.record(
    z.string().regex(/^\d{1,3}$/, 'must be a number from 1 to 255'),
    z.string().regex(digits, `must be ${wanted} as hexadecimal digits`),
  );

const document = (schemas: typeof zod) =>
  keysById(schemas, /^([\da-f]{32}|[\da-f]{64})$/i, '16 bytes (SipHash) or 32 (HMAC)');

const answerDocument = (schemas: typeof zod) =>
  keysById(schemas, /^[\da-f]{32}$/i, '16 bytes (SipHash)');

/**
 * Reads the keys of the switches that coordinate: `{"1": "<32 or 64 hexadecimal digits>"}`. Their
 * length says the algorithm.
 * @throws InputError naming the file and what is wrong with it; never a key.
 */
export const readNotificationKeys = (path: string): SwitchKeys =>
  readKeys('--coordination', path, document);

/**
 * Reads the keys of switches that sign their answers, all for SipHash: a switch can compute no HMAC.
 * @throws InputError naming the file and what is wrong with it; never a key.
 */
export const readAnswerKeys = (path: string): SwitchKeys =>
  readKeys('--answer-keys', path, answerDocument);

function readKeys(option: string, path: string, wanted: typeof document): SwitchKeys {
  const keys = new SwitchKeys(hmacSha256);
  for (const [id, digits] of Object.entries(readSecretDocument({ option, path }, wanted))) {
    const bytes = Uint8Array.from(Buffer.from(digits, 'hex'));
    keys.add(Number(id), { algorithm: algorithmOf(bytes), bytes });
  }
  return keys;
}

const algorithmOf = ({ length }: Uint8Array): CcmKey['algorithm'] =>
  length === CCM_KEY_LENGTHS['siphash-2-4-64'] ? 'siphash-2-4-64' : 'hmac-sha-256-128';
