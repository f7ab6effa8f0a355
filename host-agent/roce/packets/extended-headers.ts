import type { Duration } from '../../../common/units/units';
import { microseconds } from '../../../common/units/units';
import type { Aeth } from '../../../common/wire/roce/extended-headers';
import { AETH_LENGTH, AETH_NO_CREDITS, emitAeth } from '../../../common/wire/roce/extended-headers';
import { emitReth, RETH_LENGTH } from '../../../common/wire/roce/extended-headers';
import { writeUint32 } from '../../../common/wire/bytes';

/** Error codes of a NAK (InfiniBand architecture, volume 1, table 45). */
export const NAK_CODES = {
  'psn-sequence-error': 0,
  'invalid-request': 1,
  'remote-access-error': 2,
  'remote-operational-error': 3,
} as const;
export type NakReason = keyof typeof NAK_CODES;

/** Returns the reason why a request was refused, in words. */
export function nakText(code: number): string {
  const found = Object.entries(NAK_CODES).find(([, value]) => value === code);
  return found === undefined ? `NAK of code ${code}` : found[0].replaceAll('-', ' ');
}

/** Times of the codes of an RNR NAK, in us (table 46). */
const RNR_TIMES_US = [
  655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1_280, 1_920, 2_560, 3_840,
  5_120, 7_680, 10_240, 15_360, 20_480, 30_720, 40_960, 61_440, 81_920, 122_880, 163_840, 245_760,
  327_680, 491_520,
];

export const rnrTime = (code: number): Duration => microseconds(RNR_TIMES_US[code & 0x1f] ?? 0);

const MSN_MASK = 0xff_ffff;

/** The header as bytes, with what follows it. @param msn counts without end. */
export function aethBody(aeth: Aeth, rest: Uint8Array = NOTHING): Uint8Array {
  const body = new Uint8Array(AETH_LENGTH + rest.length);
  emitAeth({ ...aeth, msn: aeth.msn & MSN_MASK }, body, 0);
  body.set(rest, AETH_LENGTH);
  return body;
}

export const ackAeth = (msn: number): Aeth => ({ kind: 'ack', value: AETH_NO_CREDITS, msn });

const NOTHING = new Uint8Array(0);

const WORD_MODULUS = 0x1_0000_0000;
const IMMEDIATE_LENGTH = 4;

/** Request for an access to the target's memory. */
export interface MemoryRequest {
  /** Virtual address, below 2^53. */
  readonly address: number;
  readonly remoteKey: number;
  readonly length: number;
}

/** The extended headers of a request: RETH, then immediate data, each where there is one. */
export function requestBody(
  memory: MemoryRequest | undefined,
  immediate: number | undefined,
): Uint8Array {
  const immediateAt = memory === undefined ? 0 : RETH_LENGTH;
  const body = new Uint8Array(immediateAt + (immediate === undefined ? 0 : IMMEDIATE_LENGTH));
  if (memory !== undefined) {
    const { address, remoteKey, length } = memory;
    const high = Math.floor(address / WORD_MODULUS);
    const virtualAddress = { high, low: address - high * WORD_MODULUS };
    emitReth({ virtualAddress, remoteKey, dmaLength: length }, body, 0);
  }
  if (immediate !== undefined) writeUint32(body, immediateAt, immediate);
  return body;
}
