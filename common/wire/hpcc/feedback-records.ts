import type { HopRecord } from '../../hop/hop';
import { readUint16, readUint32, writeUint16, writeUint32 } from '../bytes';
import { HP_DOMAIN, readHop } from '../int/int-md';
import { LOAD_RATIO, SWITCH_RESPONSE_HEAD, WINDOW_RECORD } from '../transport-layouts';

/**
 * Records of feedback packets besides echoes; transport-layouts.ts describes their fields.
 * The trailer that authenticates header and body is in message-mac.ts; its sequence counts the
 * signed packets of the flow from 1, or those of the switch (answer-code.ts).
 */
export const LOAD_RATIO_LENGTH = LOAD_RATIO.size;
export const WINDOW_RECORD_LENGTH = WINDOW_RECORD.size;
export const SWITCH_RESPONSE_LENGTH = SWITCH_RESPONSE_HEAD.size + HP_DOMAIN.hopLength;

/** The sequence of a switch response is that of the transport of this project. */
export const SEQUENCE_KIND_HPCC = 1;

const WORD_MODULUS = 0x1_0000_0000;
const FRACTION = 0x1_0000;

/** Load of the bottleneck link, without its identity. */
export interface LoadRatio {
  /** u of the draft: bytes in flight relative to the bandwidth-delay product. */
  readonly ratio: number;
  /** The interval that the ratio was measured over, in ns. */
  readonly intervalNs: number;
}

/** Rounds down to 1/65536 and saturates; `intervalNs` is a non-negative integer. */
export function emitLoadRatio(load: LoadRatio, bytes: Uint8Array, offset: number): void {
  writeUint32(bytes, offset, Math.min(Math.floor(load.ratio * FRACTION), WORD_MODULUS - 1));
  writeUint32(bytes, offset + 4, Math.min(load.intervalNs, WORD_MODULUS - 1));
}

/** The caller has checked that the bytes are there. */
export function readLoadRatio(bytes: Uint8Array, offset: number): LoadRatio {
  return {
    ratio: readUint32(bytes, offset) / FRACTION,
    intervalNs: readUint32(bytes, offset + 4),
  };
}

/** Window that a receiver's algorithm tells, or a count of its flows alone. */
export interface WindowRecord {
  /** 32 bits; counts the changes of the window. */
  readonly epoch: number;
  /** Flows that the receiver's link serves, up to 65,535; 0: not counted. */
  readonly flows: number;
  /** Payload bytes; 0: the record carries no window. */
  readonly windowBytes: number;
}

/** Rounds the window down to 1/65536 bytes; it is below 2^37. */
export function emitWindowRecord(record: WindowRecord, bytes: Uint8Array, offset: number): void {
  writeUint32(bytes, offset, record.epoch);
  writeUint16(bytes, offset + 4, Math.min(record.flows, 0xffff));
  writeUint16(bytes, offset + 6, 0);
  writeUint64(bytes, offset + 8, Math.floor(record.windowBytes * FRACTION));
}

/** The caller has checked that the bytes are there. */
export function readWindowRecord(bytes: Uint8Array, offset: number): WindowRecord {
  return {
    epoch: readUint32(bytes, offset),
    flows: readUint16(bytes, offset + 4),
    windowBytes: readUint64(bytes, offset + 8) / FRACTION,
  };
}

export interface SwitchResponse {
  /** SEQUENCE_KIND_HPCC, or another protocol's. */
  readonly sequenceKind: number;
  /** Position of the link in the path; 255: not known. */
  readonly hopIndex: number;
  readonly hop: HopRecord;
}

/** The caller has checked that the bytes are there. */
export function readSwitchResponse(bytes: Uint8Array, offset: number): SwitchResponse {
  return {
    hopIndex: bytes[offset] as number,
    sequenceKind: bytes[offset + 1] as number,
    hop: readHop(bytes, offset + SWITCH_RESPONSE_HEAD.size),
  };
}

function writeUint64(bytes: Uint8Array, at: number, value: number): void {
  const high = Math.floor(value / WORD_MODULUS);
  writeUint32(bytes, at, high);
  writeUint32(bytes, at + 4, value - high * WORD_MODULUS);
}

function readUint64(bytes: Uint8Array, at: number): number {
  return readUint32(bytes, at) * WORD_MODULUS + readUint32(bytes, at + 4);
}
