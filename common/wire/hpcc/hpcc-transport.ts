import { readUint16, readUint32, writeUint16, writeUint32 } from '../bytes';
import { truncated, WireFault } from '../fault';
import { AUTH_TRAILER_LENGTH } from '../security/message-mac';
import { accumulatedLength } from './accumulated-records';
import { LOAD_RATIO_LENGTH, SWITCH_RESPONSE_LENGTH } from './feedback-records';
import { WINDOW_RECORD_LENGTH } from './feedback-records';
import { checkSelectiveAck, SELECTIVE_ACK_LENGTH } from './selective-ack';

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
 * Version 2 has eight more bytes here, the token of the flow. `length` counts the bytes that follow and
 * exactly to the end of the UDP datagram.
 * `generation` counts how often the sender has used the flow id, so that a receiver tells a new
 * flow from a late packet of an old one. Sequences count payload bytes from 0. Both directions use
 * the same destination port; an ACK repeats the source port of the flow's data.
 *
 *     type         direction   sequence                          body
 *     1 DATA       forward     first byte of the payload         payload
 *     2 ACK        backward    next byte expected                congestion record, selective
 *                                                                acknowledgement, trailer
 *     3 PROBE      forward     number of the request             none; the INT bytes precede it
 *     4 TELEMETRY  backward    request answered (RESPONSE), or   congestion record, trailer
 *                              next byte expected
 *     5 WINDOW     backward    next byte expected                window record, trailer
 *     6 SWITCH     from a      first byte of the payload that    switch response, trailer
 *                  switch      made the switch speak
 *
 * In version 2 the token says that a packet comes from whom the flow is with (docs/wire-formats.md): that
 * of forward packets is the sender's nonce until it knows a cookie of the receiver, that of feedback
 * repeats the first one of the flow. COOKIE announces the receiver's cookie, 8 bytes before the trailer,
 * and that the flow is not confirmed.
 *
 * A congestion record is an echo (ECHO: INT bytes as they were received) or, where links are not to
 * be revealed, a load ratio (RATIO). An ACK of several packets has one of each (ACCUMULATED,
 * accumulated-records.ts). feedback-records.ts has the layout of the other records, selective-ack.ts
 * that of what SACK announces, message-mac.ts that of the trailer of AUTH.
 *
 * SELECTIVE and SACK are an extension for flows that repeat single segments. A sender says SELECTIVE
 * in all data of such a flow, and only then may the receiver answer with SACK: flows without it look
 * as they did before the extension, and receivers that do not know it refuse the data as malformed.
 */
export const HPCC_TRANSPORT_PORT = 50002;
export const HPCC_TRANSPORT_LENGTH = 16;
/** Bytes that version 2 adds to the header, and those of a cookie. */
export const FLOW_TOKEN_LENGTH = 8;
const PLAIN_VERSION = 1;
const TOKEN_VERSION = 2;

export const HPCC_DATA = 1;
export const HPCC_ACK = 2;
export const HPCC_PROBE = 3;
export const HPCC_TELEMETRY = 4;
export const HPCC_WINDOW = 5;
export const HPCC_SWITCH_RESPONSE = 6;

export type HpccType =
  | typeof HPCC_DATA
  | typeof HPCC_ACK
  | typeof HPCC_PROBE
  | typeof HPCC_TELEMETRY
  | typeof HPCC_WINDOW
  | typeof HPCC_SWITCH_RESPONSE;

/** DATA: the payload ends the flow. */
export const HPCC_FLAG_FIN = 0x01;
/** ACK, TELEMETRY: an echo of telemetry follows. */
export const HPCC_FLAG_ECHO = 0x02;
/** DATA: some of these bytes have been sent before. */
export const HPCC_FLAG_RETRANSMIT = 0x04;
/** DATA: the sender repeats single segments, and understands SACK. */
export const HPCC_FLAG_SELECTIVE = 0x08;
/** ACK: a selective acknowledgement follows the congestion record. */
export const HPCC_FLAG_SACK = 0x04;
/** ACK: a gap precedes the data that caused it; the sender goes back to the acknowledgement. */
export const HPCC_FLAG_NACK = 0x08;
/** ACK, TELEMETRY, WINDOW, SWITCH: the body ends with a trailer that authenticates the packet. */
export const HPCC_FLAG_AUTH = 0x10;
/** ACK, TELEMETRY: a load ratio follows in place of an echo. */
export const HPCC_FLAG_RATIO = 0x20;
/** ACK: the congestion records of several packets follow, not that of one. */
export const HPCC_FLAG_ACCUMULATED = 0x40;
/** ACK: the data that caused it had a mark of ECN, "congestion experienced". */
export const HPCC_FLAG_MARKED = 0x80;
/** ACK, TELEMETRY, WINDOW of version 2: a cookie precedes the trailer; the flow is not confirmed. */
export const HPCC_FLAG_COOKIE = 0x01;
/** TELEMETRY: answers a PROBE. */
export const HPCC_FLAG_RESPONSE = 0x40;
/** SWITCH: addressed to the receiver of the flow. */
export const HPCC_FLAG_TO_RECEIVER = 0x01;
/** DATA: the last four bits of the epoch of the window that the sender uses. */
const HPCC_EPOCH_MASK = 0xf0;
export const HPCC_EPOCH_SHIFT = 4;

const RECORD_FLAGS = HPCC_FLAG_ECHO | HPCC_FLAG_RATIO | HPCC_FLAG_AUTH | HPCC_FLAG_COOKIE;
const FLAGS_OF: Readonly<Record<HpccType, number>> = {
  [HPCC_DATA]: HPCC_FLAG_FIN | HPCC_FLAG_RETRANSMIT | HPCC_FLAG_SELECTIVE | HPCC_EPOCH_MASK,
  [HPCC_ACK]:
    RECORD_FLAGS | HPCC_FLAG_NACK | HPCC_FLAG_SACK | HPCC_FLAG_ACCUMULATED | HPCC_FLAG_MARKED,
  [HPCC_PROBE]: HPCC_EPOCH_MASK,
  [HPCC_TELEMETRY]: RECORD_FLAGS | HPCC_FLAG_RESPONSE,
  [HPCC_WINDOW]: HPCC_FLAG_AUTH | HPCC_FLAG_COOKIE,
  [HPCC_SWITCH_RESPONSE]: HPCC_FLAG_TO_RECEIVER | HPCC_FLAG_AUTH,
};

const FIELD = {
  versionType: 0,
  flags: 1,
  flowId: 2,
  length: 4,
  generation: 6,
  sequence: 8,
  token: 16,
} as const;

export interface HpccTransportHeader {
  readonly type: HpccType;
  /** Sum of HPCC_FLAG_* that belong to the type. */
  readonly flags: number;
  /** 16 bits, chosen by the sender of the data. */
  readonly flowId: number;
  /** 16 bits. */
  readonly generation: number;
  /** Bytes of the body after this header. */
  readonly length: number;
  /** As the table of types says; below 2^53. */
  readonly sequence: number;
  /** Of version 2; undefined in version 1. */
  readonly token?: FlowToken | undefined;
}

type MutableTransportHeader = {
  -readonly [Name in keyof HpccTransportHeader]: HpccTransportHeader[Name];
};

/** To be filled in. */
export const noTransportHeader = (): MutableTransportHeader => ({
  type: HPCC_DATA,
  flags: 0,
  flowId: 0,
  generation: 0,
  length: 0,
  sequence: 0,
  token: undefined,
});

/** 64 bits that nobody guesses, as two words. */
export interface FlowToken {
  readonly high: number;
  readonly low: number;
}

/** Bytes of the header before its body. */
export const hpccTransportLength = ({ token }: Pick<HpccTransportHeader, 'token'>): number =>
  token === undefined ? HPCC_TRANSPORT_LENGTH : HPCC_TRANSPORT_LENGTH + FLOW_TOKEN_LENGTH;

/**
 * Reads the header at `offset` of a datagram that ends at `end`, which lies beyond `bytes.length`
 * when the payload is virtual. Other bodies are never virtual.
 *
 * Refuses other versions and types, flags that do not belong to the type, sequences of 2^53 and
 * more, bodies that do not fit the type and its flags, and lengths that do not reach exactly to
 * `end`.
 *
 * @param into is filled in and returned. PERF: a host has one for all frames.
 */
export function parseHpccTransport(
  bytes: Uint8Array,
  offset: number,
  end: number,
  into: MutableTransportHeader = noTransportHeader(),
): HpccTransportHeader | WireFault {
  if (Math.min(bytes.length, end) < offset + HPCC_TRANSPORT_LENGTH) {
    return truncated(NAME, offset, HPCC_TRANSPORT_LENGTH, Math.min(bytes.length, end));
  }
  const version = (bytes[offset] as number) >>> 4;
  if (version !== PLAIN_VERSION && version !== TOKEN_VERSION) {
    return new WireFault(NAME, offset, `version must be 1 or 2, found ${version}`);
  }
  const bodyAt =
    offset + HPCC_TRANSPORT_LENGTH + (version === TOKEN_VERSION ? FLOW_TOKEN_LENGTH : 0);
  if (Math.min(bytes.length, end) < bodyAt) {
    return truncated(NAME, offset, bodyAt - offset, Math.min(bytes.length, end));
  }
  const type = (bytes[offset] as number) & 0xf;
  if (!isKnown(type)) return new WireFault(NAME, offset, `type must be 1 to 6, found ${type}`);
  into.type = type;
  into.flags = bytes[offset + FIELD.flags] as number;
  into.flowId = readUint16(bytes, offset + FIELD.flowId);
  into.generation = readUint16(bytes, offset + FIELD.generation);
  into.length = readUint16(bytes, offset + FIELD.length);
  into.sequence = readSequence(bytes, offset + FIELD.sequence);
  into.token = version === TOKEN_VERSION ? readFlowToken(bytes, offset + FIELD.token) : undefined;
  const rest = end - bodyAt;
  const fault = checkFields(into, offset, rest) ?? checkBody(into, bytes, offset);
  return fault ?? into;
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
  const own = FLAGS_OF[header.type];
  const isPlain = isFeedback(header.type) && header.token === undefined;
  const unknown = isPlain ? HPCC_FLAG_COOKIE : 0;
  const foreign = header.flags & ~(own & ~unknown);
  if (foreign === 0) return undefined;
  const reason = `flags 0x${foreign.toString(16)} do not belong to type ${header.type}`;
  return new WireFault(NAME, offset + FIELD.flags, reason);
}

function checkBody(
  header: HpccTransportHeader,
  bytes: Uint8Array,
  offset: number,
): WireFault | undefined {
  const { type, length } = header;
  if (type === HPCC_DATA) {
    if (length > 0) return undefined;
    return new WireFault(NAME, offset + FIELD.length, 'data must have a payload');
  }
  const bodyAt = offset + hpccTransportLength(header);
  if (bytes.length < bodyAt + length) return truncated(NAME, bodyAt, length, bytes.length);
  const record = singleRecordLength(header, bytes, bodyAt);
  if (record === undefined) {
    const reason = 'several records of equal length must follow, and their number';
    return new WireFault(NAME, bodyAt, reason);
  }
  const fault = checkFeedback(header, record, offset);
  if (fault !== undefined || !hasSelectiveAck(type, header.flags)) return fault;
  return checkSelectiveAck(bytes, bodyAt + congestionRecordLength(header));
}

/** Bytes of the echo or other record that an ACK, TELEMETRY or WINDOW begins its body with. */
export function congestionRecordLength({
  type,
  flags,
  length,
}: Pick<HpccTransportHeader, 'type' | 'flags' | 'length'>): number {
  return (
    length - trailerLength(type, flags) - (hasSelectiveAck(type, flags) ? SELECTIVE_ACK_LENGTH : 0)
  );
}

/** Whether an ACK has the records of several packets; TELEMETRY uses the bit for something else. */
export const isAccumulated = ({ type, flags }: Pick<HpccTransportHeader, 'type' | 'flags'>) =>
  type === HPCC_ACK && (flags & HPCC_FLAG_ACCUMULATED) !== 0;

/** Bytes of one of the records at `bodyAt`; undefined if they are not as ACCUMULATED says. */
function singleRecordLength(
  header: HpccTransportHeader,
  bytes: Uint8Array,
  bodyAt: number,
): number | undefined {
  const length = congestionRecordLength(header);
  return isAccumulated(header) ? accumulatedLength(bytes, bodyAt, length) : length;
}

/** Other types use the bit of COOKIE for something else, and all but answers of switches that of AUTH. */
const isFeedback = (type: HpccType): boolean =>
  type === HPCC_ACK || type === HPCC_TELEMETRY || type === HPCC_WINDOW;

/** A cookie, and what authenticates the packet, end the body of feedback. */
function trailerLength(type: HpccType, flags: number): number {
  const isOfHost = isFeedback(type);
  if (!isOfHost && type !== HPCC_SWITCH_RESPONSE) return 0;
  const cookie = isOfHost && (flags & HPCC_FLAG_COOKIE) !== 0 ? FLOW_TOKEN_LENGTH : 0;
  return cookie + ((flags & HPCC_FLAG_AUTH) !== 0 ? AUTH_TRAILER_LENGTH : 0);
}

/** The cookie of feedback that has passed {@link parseHpccTransport} and whose flags announce one. */
export function readCookie(
  bytes: Uint8Array,
  bodyAt: number,
  { type, flags, length }: HpccTransportHeader,
): FlowToken {
  return readFlowToken(bytes, bodyAt + length - trailerLength(type, flags));
}

/** Another type may use the bit for something else. */
const hasSelectiveAck = (type: HpccType, flags: number): boolean =>
  type === HPCC_ACK && (flags & HPCC_FLAG_SACK) !== 0;

/** What follows an ACK, a PROBE, a TELEMETRY or a WINDOW has the length that its flags announce. */
function checkFeedback(
  { type, flags }: HpccTransportHeader,
  record: number,
  offset: number,
): WireFault | undefined {
  const wanted = recordLength(type, flags);
  if (wanted === undefined ? record > 0 : record === wanted) return undefined;
  const what = wanted === undefined ? 'an echo' : `${wanted} bytes`;
  const reason = `flags 0x${flags.toString(16)} announce ${what}, but ${record} bytes follow`;
  return new WireFault(NAME, offset + FIELD.flags, reason);
}

function recordLength(type: HpccType, flags: number): number | undefined {
  if (type === HPCC_WINDOW) return WINDOW_RECORD_LENGTH;
  if (type === HPCC_PROBE) return 0;
  return type === HPCC_SWITCH_RESPONSE ? SWITCH_RESPONSE_LENGTH : fixedRecordLength(flags);
}

/** Undefined for an echo, whose length is its own matter; -1, which nothing has, for both kinds. */
function fixedRecordLength(flags: number): number | undefined {
  const hasRatio = (flags & HPCC_FLAG_RATIO) !== 0;
  if ((flags & HPCC_FLAG_ECHO) !== 0) return hasRatio ? -1 : undefined;
  return hasRatio ? LOAD_RATIO_LENGTH : 0;
}

const isKnown = (type: number): type is HpccType =>
  type >= HPCC_DATA && type <= HPCC_SWITCH_RESPONSE;

/** Writes the 16 bytes of the header, or 24 with a token; what follows is the caller's. */
export function emitHpccTransport(
  header: HpccTransportHeader,
  bytes: Uint8Array,
  offset: number,
): void {
  const { token } = header;
  const version = token === undefined ? PLAIN_VERSION : TOKEN_VERSION;
  bytes[offset] = (version << 4) | header.type;
  writeUint16(bytes, offset + FIELD.flowId, header.flowId);
  writeUint16(bytes, offset + FIELD.generation, header.generation);
  bytes[offset + FIELD.flags] = header.flags;
  writeUint16(bytes, offset + FIELD.length, header.length);
  const high = Math.floor(header.sequence / WORD_MODULUS);
  writeUint32(bytes, offset + FIELD.sequence, high);
  writeUint32(bytes, offset + FIELD.sequence + 4, header.sequence - high * WORD_MODULUS);
  if (token !== undefined) writeFlowToken(token, bytes, offset + FIELD.token);
}

export function readFlowToken(bytes: Uint8Array, at: number): FlowToken {
  return { high: readUint32(bytes, at), low: readUint32(bytes, at + 4) };
}

export function writeFlowToken({ high, low }: FlowToken, bytes: Uint8Array, at: number): void {
  writeUint32(bytes, at, high);
  writeUint32(bytes, at + 4, low);
}

export const isSameToken = (a: FlowToken | undefined, b: FlowToken | undefined): boolean =>
  a !== undefined && b !== undefined && a.high === b.high && a.low === b.low;

/** Above 2^53 the sum may be rounded, but never down to a safe integer. */
function readSequence(bytes: Uint8Array, at: number): number {
  return readUint32(bytes, at) * WORD_MODULUS + readUint32(bytes, at + 4);
}

const NAME = 'hpcc-transport';
const WORD_MODULUS = 0x1_0000_0000;
