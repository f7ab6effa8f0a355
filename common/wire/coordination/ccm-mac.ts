import { assert } from '../../assert';
import { CCM_PORT } from './ccm-notification';
import { LABEL_NOTIFICATION, MAC_LENGTH, messageMac } from '../security/message-mac';
import { SIPHASH_KEY_LENGTH, sipHash24 } from '../security/siphash';

/**
 * Authentication of notifications of coordinated congestion management (docs/coordination.md). A
 * key's record says the algorithm, as switches can compute SipHash but not HMAC.
 */
export const CCM_ALGORITHMS = ['hmac-sha-256-128', 'siphash-2-4-64'] as const;

export interface CcmKey {
  readonly algorithm: (typeof CCM_ALGORITHMS)[number];
  /** As many as {@link CCM_KEY_LENGTHS} says. */
  readonly bytes: Uint8Array;
}

/** Bytes of a key. */
export const CCM_KEY_LENGTHS = {
  'hmac-sha-256-128': 32,
  'siphash-2-4-64': SIPHASH_KEY_LENGTH,
} as const satisfies Readonly<Record<CcmKey['algorithm'], number>>;

/** What a code is computed over besides the message. */
export interface CcmMacContext {
  /** 4 or 16 bytes each, of the outer IP header. */
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  /** HMAC-SHA-256: the caller has the cryptography. */
  readonly hmac: (key: Uint8Array, bytes: Uint8Array) => Uint8Array;
}

/**
 * The code of a notification: 16 bytes.
 * @param message the notification without its code.
 */
export function ccmMac(key: CcmKey, context: CcmMacContext, message: Uint8Array): Uint8Array {
  const wanted = CCM_KEY_LENGTHS[key.algorithm];
  assert(key.bytes.length === wanted, `a key for ${key.algorithm} has ${wanted} bytes`);
  switch (key.algorithm) {
    case 'hmac-sha-256-128': {
      const { source, destination, hmac } = context;
      const outer = { label: LABEL_NOTIFICATION, source, destination, destinationPort: CCM_PORT };
      return messageMac(outer, message, (bytes) => hmac(key.bytes, bytes));
    }
    case 'siphash-2-4-64': {
      const code = new Uint8Array(MAC_LENGTH);
      code.set(sipHash24(key.bytes, message));
      return code;
    }
  }
}
