import { readUint16, readUint32, writeUint16, writeUint32 } from './bytes';
import { truncated, WireFault } from './fault';

/**
 * Header of the reliable transport over UDP, after the INT bytes if there are any. Big-endian:
 *
 *      0                   1                   2                   3
 *      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *     +-------+-------+---------------+-------------------------------+
 *     | ver 1 | type  |     flags     |            flow id            |
 *     +-------+-------+---------------+-------------------------------+
 *     |            length             |          generation           |
 *     +-------------------------------+-------------------------------+
 *     |                                                               |
 *     +             sequence (DATA), acknowledgement (ACK)            +
 *     |                                                               |
 *     +---------------------------------------------------------------+
 *     |      DATA: payload.  ACK: the INT bytes of the data packet,   |
 *     |      shim to end of stack, as they were received ...          |
 *
 * `length` counts the bytes that follow and must reach exactly to the end of the UDP datagram.
 * `generation` counts how often the sender has used the flow id, so that a receiver tells a new
 * flow from a late packet of an old one. Sequences count payload bytes from 0. Both directions use
 * the same destination port; an ACK repeats the source port of the flow's data.
 *
 * Types from 3 on are free for probes, responses and notifications.
 */
export const HPCC_TRANSPORT_PORT = 50002;
export const HPCC_TRANSPORT_LENGTH = 16;
export const HPCC_TRANSPORT_VERSION = 1;

export const HPCC_DATA = 1;
export const HPCC_ACK = 2;

/** DATA: the payload ends the flow. */
export const HPCC_FLAG_FIN = 0x01;
/** ACK: an echo of telemetry follows. */
export const HPCC_FLAG_ECHO = 0x02;
/** DATA: some of these bytes have been sent before. */
export const HPCC_FLAG_RETRANSMIT = 0x04;
/** ACK: a gap precedes the data that caused it; the sender goes back to the acknowledgement. */
export const HPCC_FLAG_NACK = 0x08;

const DATA_FLAGS = HPCC_FLAG_FIN | HPCC_FLAG_RETRANSMIT;
const ACK_FLAGS = HPCC_FLAG_ECHO | HPCC_FLAG_NACK;

const FIELD = {
  versionType: 0,
  flags: 1,
  flowId: 2,
  length: 4,
  generation: 6,
  sequence: 8,
} as const;

export interface HpccTransportHeader {
  readonly type: typeof HPCC_DATA | typeof HPCC_ACK;
  /** Sum of HPCC_FLAG_* that belong to the type. */
  readonly flags: number;
  /** 16 bits, chosen by the sender of the data. */
  readonly flowId: number;
  /** 16 bits. */
  readonly generation: number;
  /** Bytes of payload or echo after this header. */
  readonly length: number;
  /** First byte of the payload, or the next byte expected; below 2^53. */
  readonly sequence: number;
}

/**
 * Reads the header at `offset` of a datagram that ends at `end`, which lies beyond `bytes.length`
 * when the payload is virtual. Echoes are never virtual.
 *
 * Refuses other versions and types, flags that do not belong to the type, sequences of 2^53 and
 * more, data without payload, and lengths that do not reach exactly to `end`.
 */
export function parseHpccTransport(
  bytes: Uint8Array,
  offset: number,
  end: number,
): HpccTransportHeader | WireFault {
  if (Math.min(bytes.length, end) < offset + HPCC_TRANSPORT_LENGTH) {
    return truncated(NAME, offset, HPCC_TRANSPORT_LENGTH, Math.min(bytes.length, end));
  }
  const version = (bytes[offset] as number) >>> 4;
  if (version !== HPCC_TRANSPORT_VERSION) {
    return new WireFault(NAME, offset, `version must be 1, found ${version}`);
  }
  const type = (bytes[offset] as number) & 0xf;
  if (type !== HPCC_DATA && type !== HPCC_ACK) {
    return new WireFault(NAME, offset, `type must be 1 or 2, found ${type}`);
  }
  const header: HpccTransportHeader = {
    type,
    flags: bytes[offset + FIELD.flags] as number,
    flowId: readUint16(bytes, offset + FIELD.flowId),
    generation: readUint16(bytes, offset + FIELD.generation),
    length: readUint16(bytes, offset + FIELD.length),
    sequence: readSequence(bytes, offset + FIELD.sequence),
  };
  const rest = end - offset - HPCC_TRANSPORT_LENGTH;
  const fault = checkFields(header, offset, rest) ?? checkBody(header, bytes, offset);
  return fault ?? header;
}

function checkFields(
  header: HpccTransportHeader,
  offset: number,
  rest: number,
): WireFault | undefined {
  if (header.length !== rest) {
    const reason = `length must be ${rest}, found ${header.length}`;
    return new WireFault(NAME, offset + FIELD.length, reason);
  }
  if (header.sequence > Number.MAX_SAFE_INTEGER) {
    return new WireFault(NAME, offset + FIELD.sequence, 'sequence must be below 2^53');
  }
  const foreign = header.flags & ~(header.type === HPCC_DATA ? DATA_FLAGS : ACK_FLAGS);
  if (foreign === 0) return undefined;
  const reason = `flags 0x${foreign.toString(16)} do not belong to type ${header.type}`;
  return new WireFault(NAME, offset + FIELD.flags, reason);
}

function checkBody(
  { type, flags, length }: HpccTransportHeader,
  bytes: Uint8Array,
  offset: number,
): WireFault | undefined {
  if (type === HPCC_ACK) {
    const bodyAt = offset + HPCC_TRANSPORT_LENGTH;
    if (bytes.length < bodyAt + length) return truncated(NAME, bodyAt, length, bytes.length);
    return checkEcho(flags, length, offset);
  }
  if (length > 0) return undefined;
  return new WireFault(NAME, offset + FIELD.length, 'data must have a payload');
}

function checkEcho(flags: number, length: number, offset: number): WireFault | undefined {
  const hasEcho = (flags & HPCC_FLAG_ECHO) !== 0;
  if (hasEcho === length > 0) return undefined;
  const reason = `echo flag is ${hasEcho ? 'set' : 'clear'}, but ${length} bytes follow`;
  return new WireFault(NAME, offset + FIELD.flags, reason);
}

/** Writes the 16 bytes of the header; what follows is the caller's. */
export function emitHpccTransport(
  header: HpccTransportHeader,
  bytes: Uint8Array,
  offset: number,
): void {
  bytes[offset] = (HPCC_TRANSPORT_VERSION << 4) | header.type;
  writeUint16(bytes, offset + FIELD.flowId, header.flowId);
  writeUint16(bytes, offset + FIELD.generation, header.generation);
  patchHpccTransport(header, bytes, offset);
}

/** Rewrites the fields that differ among the packets of one flow and direction. */
export function patchHpccTransport(
  header: Pick<HpccTransportHeader, 'flags' | 'length' | 'sequence'>,
  bytes: Uint8Array,
  offset: number,
): void {
  bytes[offset + FIELD.flags] = header.flags;
  writeUint16(bytes, offset + FIELD.length, header.length);
  const high = Math.floor(header.sequence / WORD_MODULUS);
  writeUint32(bytes, offset + FIELD.sequence, high);
  writeUint32(bytes, offset + FIELD.sequence + 4, header.sequence - high * WORD_MODULUS);
}

/** Above 2^53 the sum may be rounded, but never down to a safe integer. */
function readSequence(bytes: Uint8Array, at: number): number {
  return readUint32(bytes, at) * WORD_MODULUS + readUint32(bytes, at + 4);
}

const NAME = 'hpcc-transport';
const WORD_MODULUS = 0x1_0000_0000;
