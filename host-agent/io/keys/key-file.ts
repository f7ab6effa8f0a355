import type * as zod from 'zod';
import { InputError } from '../../../common/errors';
import { KeyRing } from '../../feedback/key-ring';
import { hmacSha256 } from './hmac';
import { readSecretDocument } from './secret-document';

/** Keys by id, and the one that signs. */
export interface KeyFile {
  readonly signing: number;
  readonly keys: ReadonlyMap<number, Uint8Array>;
}

const ID_MAX = 255;
const HEX_KEY = /^[\da-f]{64}$/i;

const document = ({ z }: typeof zod) =>
  z.strictObject({
    signing: z.int().min(0).max(ID_MAX),
    keys: z.record(
      z.string().regex(/^\d{1,3}$/, 'must be a number from 0 to 255'),
      z.string().regex(HEX_KEY, 'must be 32 bytes as 64 hexadecimal digits'),
    ),
  });

/**
 * Reads `{"signing": 1, "keys": {"1": "<64 hexadecimal digits>"}}`.
 * @throws InputError naming the file and what is wrong with it; never a key.
 */
export function readKeyFile(path: string): KeyFile {
  const { signing, keys } = readSecretDocument({ option: '--keys', path }, document);
  const byId = new Map(Object.entries(keys).map(([id, key]) => [Number(id), bytesOf(key)]));
  for (const id of byId.keys()) {
    if (id > ID_MAX) throw new InputError(`--keys ${path}: key id ${id} is above ${ID_MAX}`);
  }
  if (!byId.has(signing)) {
    throw new InputError(`--keys ${path}: key ${signing} shall sign and is not among the keys`);
  }
  return { signing, keys: byId };
}

/** A ring with the keys of the file. */
export function ringOf({ signing, keys }: KeyFile): KeyRing {
  const key = keys.get(signing) ?? new Uint8Array(0);
  const ring = new KeyRing(hmacSha256, signing, key);
  for (const [id, other] of keys) if (id !== signing) ring.add(id, other);
  return ring;
}

/**
 * The ring then has the keys of the file and signs with the one that it names. What other hosts
 * signed with keys that stay remains valid.
 * @throws InputError, with the ring as it was, when an id stands for another key than before: what
 * has been signed with the old one would be refused, and nobody could tell why.
 */
export function rotate(ring: KeyRing, { signing, keys }: KeyFile): void {
  for (const [id, key] of keys) {
    const known = ring.key(id);
    if (known === undefined || Buffer.compare(known, key) === 0) continue;
    throw new InputError(`key ${id} has changed: a new key needs a new id`);
  }
  for (const [id, key] of keys) if (ring.key(id) === undefined) ring.add(id, key);
  ring.use(signing);
  for (let id = 0; id <= ID_MAX; id++) {
    if (ring.key(id) !== undefined && !keys.has(id)) ring.remove(id);
  }
}

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
