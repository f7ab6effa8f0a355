import type { Word64 } from '../bytes';
import { WireFault, truncated } from '../fault';
import { FixedFormat } from '../fixed-format';
import { MAC_LENGTH, LABEL_NOTIFICATION, messageMac } from '../security/message-mac';
import { assert } from '../../assert';
import { SIPHASH_KEY_LENGTH, sipHash24 } from '../security/siphash';

/**
 * Notification of coordinated congestion management over UDP (our choice; the draft names fields
 * but no layout). The flow key is in the direction of the data.
 *
 *     | version 4, type 4 | flags 8 | length 8, words with MAC | key id 8 |
 *     | sender node 32 | sequence 64 | rerouting point 32 |
 *     | protocol 8, traffic class 8, queue 8, severity 8 | source port 16, destination port 16 |
 *     | discriminator 32: RoCEv2 QP | queue length 32, bytes | time 32, ns |
 *     | source address 32 or 128 | destination address | MAC 128, unless key id is 0 |
 */
export const CCM_PORT = 50001;

const NAME = 'ccm-notification';
const VERSION = 1;
const FIXED_LENGTH = 40;
const FLAG_IPV6 = 0x80;
const FLAG_ANY_PORT = 0x40;
const TYPES = ['control-required', 'control-released', 'rerouting-required'] as const;

/** A notification of coordinated congestion management. */
export interface CcmNotification {
  readonly type: (typeof TYPES)[number];
  /** The flow key consists of addresses only. */
  readonly anyPort: boolean;
  readonly keyId: number;
  readonly senderNode: number;
  readonly sequence: Word64;
  readonly reroutingPoint: number;
  readonly protocol: number;
  readonly trafficClass: number;
  readonly queueId: number;
  readonly severity: number;
  readonly sourcePort: number;
  readonly destinationPort: number;
  readonly destinationQp: number;
  readonly queueBytes: number;
  /** ns modulo 2^32. */
  readonly time: number;
  /** 4 or 16 bytes each. */
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  /** 16 bytes, or none with key id 0. */
  readonly mac: Uint8Array;
}

/** Fields from the sender node to the time. */
const FIELDS = new FixedFormat<
  Omit<CcmNotification, 'type' | 'anyPort' | 'keyId' | 'source' | 'destination' | 'mac'>
>(NAME, {
  senderNode: 32,
  sequence: 'word64',
  reroutingPoint: 32,
  protocol: 8,
  trafficClass: 8,
  queueId: 8,
  severity: 8,
  sourcePort: 16,
  destinationPort: 16,
  r1: 8,
  destinationQp: 24,
  queueBytes: 32,
  time: 32,
});

/** Refuses versions other than 1, types other than 1 to 3, and a length other than the fields'. */
export function parseCcmNotification(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): CcmNotification | WireFault {
  if (end < offset + FIXED_LENGTH) return truncated(NAME, offset, FIXED_LENGTH, end);
  const first = bytes[offset] as number;
  const type = TYPES[(first & 0xf) - 1];
  if (first >>> 4 !== VERSION || type === undefined) {
    const found = `${first >>> 4} and ${first & 0xf}`;
    return new WireFault(NAME, offset, `version must be 1 and type 1 to 3, found ${found}`);
  }
  const flags = bytes[offset + 1] as number;
  const keyId = bytes[offset + 3] as number;
  const address = (flags & FLAG_IPV6) === 0 ? 4 : 16;
  const length = FIXED_LENGTH + 2 * address + (keyId === 0 ? 0 : MAC_LENGTH);
  if (bytes[offset + 2] !== length / 4) {
    const reason = `length must be ${length / 4} words, found ${bytes[offset + 2] as number}`;
    return new WireFault(NAME, offset + 2, reason);
  }
  if (end < offset + length) return truncated(NAME, offset, length, end);
  const anyPort = (flags & FLAG_ANY_PORT) !== 0;
  return {
    type,
    anyPort,
    keyId,
    ...FIELDS.read(bytes, offset + 4),
    ...readTail(bytes, offset, address, length),
  };
}

function readTail(bytes: Uint8Array, offset: number, address: number, length: number) {
  const at = offset + FIXED_LENGTH;
  return {
    source: bytes.subarray(at, at + address),
    destination: bytes.subarray(at + address, at + 2 * address),
    mac: bytes.subarray(at + 2 * address, offset + length),
  };
}

export const ccmNotificationLength = (message: CcmNotification): number =>
  FIXED_LENGTH + message.source.length + message.destination.length + message.mac.length;

export function emitCcmNotification(
  message: CcmNotification,
  bytes: Uint8Array,
  offset: number,
): void {
  bytes[offset] = (VERSION << 4) | (TYPES.indexOf(message.type) + 1);
  bytes[offset + 1] =
    (message.source.length === 16 ? FLAG_IPV6 : 0) | (message.anyPort ? FLAG_ANY_PORT : 0);
  bytes[offset + 2] = ccmNotificationLength(message) / 4;
  bytes[offset + 3] = message.keyId;
  FIELDS.emit(message, bytes, offset + 4);
  const at = offset + FIXED_LENGTH;
  bytes.set(message.source, at);
  bytes.set(message.destination, at + message.source.length);
  bytes.set(message.mac, at + message.source.length + message.destination.length);
}

/**
 * Authentication of notifications of coordinated congestion management (docs/coordination.md). A
 * key's record says the algorithm, as switches can compute SipHash but not HMAC.
 */
export interface CcmKey {
  readonly algorithm: 'hmac-sha-256-128' | 'siphash-2-4-64';
  /** As many as {@link CCM_KEY_LENGTHS} says. */
  readonly bytes: Uint8Array;
}

/** Bytes of a key. */
export const CCM_KEY_LENGTHS = {
  'hmac-sha-256-128': 32,
  'siphash-2-4-64': SIPHASH_KEY_LENGTH,
} as const satisfies Readonly<Record<CcmKey['algorithm'], number>>;

/** Outer IP addresses, which the code covers besides the message, and the HMAC function. */
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
