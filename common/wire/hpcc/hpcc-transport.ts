import type { Bytes } from '../../units/units';
import {
  readUint16,
  readUint24,
  readUint32,
  writeUint16,
  writeUint24,
  writeUint32,
} from '../bytes';
import { truncated, WireFault } from '../fault';
import { AUTH_TRAILER_LENGTH } from '../security/message-mac';
import { accumulatedLength } from './accumulated-records';
import { LOAD_RATIO_LENGTH, SWITCH_RESPONSE_LENGTH } from './feedback-records';
import { WINDOW_RECORD_LENGTH } from './feedback-records';
import { flagMask, TOKEN, TRANSPORT, TRANSPORT_TYPES } from '../transport-layouts';
import { readSettings } from './settings-record';
import { checkSelectiveAck, SELECTIVE_ACK_LENGTH } from './selective-ack';

/**
 * Header of the reliable transport over UDP, after the INT bytes if there are any. transport-layouts.ts
 * describes it, its types, flags and bodies.
 *
 * `length` counts the bytes that follow, exactly to the end of the UDP datagram. `generation` counts how
 * often the sender has used the flow id, so that a receiver tells a new flow from a late packet of an old
 * one. Both directions use the same destination port; an ACK repeats the source port of the flow's data.
 *
 * Version 4 has a token behind the header, by which a packet proves from whom it comes
 * (docs/wire-formats.md): that of forward packets is the sender's nonce until it knows a cookie of the
 * receiver, that of feedback repeats the first one of the flow.
 *
 * SELECTIVE and SACK are an extension for flows that repeat single segments. A sender says SELECTIVE
 * in all data of such a flow, and only then may the receiver answer with SACK: flows without it look
 * as they did before the extension, and receivers that do not know it refuse the data as malformed.
 *
 * Versions 1 and 2, of releases up to 0.2, have flow ids of 16 bits in another place; hosts refuse each other's
 * packets then. A switch that answers writes version 1 and copies generation, flow id and sequence as they lie in
 * the packet, without a look at its version.
 */
export const HPCC_TRANSPORT_PORT = 50002;
export const HPCC_TRANSPORT_LENGTH = TRANSPORT.size;
/** Bytes that version 2 adds to the header, and those of a cookie. */
export const FLOW_TOKEN_LENGTH = TOKEN.size;
const PLAIN_VERSION = 3;
const TOKEN_VERSION = 4;
const SWITCH_VERSION = 1;
/** Versions of releases up to 0.2. */
const OLD_VERSIONS: readonly number[] = [1, 2];
/** Ids that a sender can give to its flows. */
export const FLOW_IDS = 2 ** TRANSPORT.bits('flowId');
export const GENERATIONS = 2 ** TRANSPORT.bits('generation');

export const HPCC_DATA = 1;
export const HPCC_ACK = 2;
export const HPCC_PROBE = 3;
export const HPCC_TELEMETRY = 4;
export const HPCC_WINDOW = 5;
export const HPCC_SWITCH_RESPONSE = 6;
export const HPCC_SETTINGS = 7;

export type HpccType =
  | typeof HPCC_DATA
  | typeof HPCC_ACK
  | typeof HPCC_PROBE
  | typeof HPCC_TELEMETRY
  | typeof HPCC_WINDOW
  | typeof HPCC_SWITCH_RESPONSE
  | typeof HPCC_SETTINGS;

/** Bits of a flag in the table of types. */
function flagOf(type: HpccType, name: string): number {
  const flag = TRANSPORT_TYPES[type - 1]?.flags.find((candidate) => candidate.name === name);
  if (flag === undefined) throw new Error(`type ${type} has no flag ${name}`);
  return flag.mask;
}

export const HPCC_FLAG_FIN = flagOf(HPCC_DATA, 'fin');
export const HPCC_FLAG_RETRANSMIT = flagOf(HPCC_DATA, 'retransmit');
export const HPCC_FLAG_SELECTIVE = flagOf(HPCC_DATA, 'selective');
/** ACK, TELEMETRY. */
export const HPCC_FLAG_ECHO = flagOf(HPCC_ACK, 'echo');
export const HPCC_FLAG_SACK = flagOf(HPCC_ACK, 'sack');
export const HPCC_FLAG_NACK = flagOf(HPCC_ACK, 'nack');
/** ACK, TELEMETRY, WINDOW, SWITCH. */
export const HPCC_FLAG_AUTH = flagOf(HPCC_ACK, 'auth');
/** ACK, TELEMETRY. */
export const HPCC_FLAG_RATIO = flagOf(HPCC_ACK, 'ratio');
export const HPCC_FLAG_ACCUMULATED = flagOf(HPCC_ACK, 'accumulated');
export const HPCC_FLAG_MARKED = flagOf(HPCC_ACK, 'marked');
/** ACK, TELEMETRY, WINDOW of version 2. */
export const HPCC_FLAG_COOKIE = flagOf(HPCC_ACK, 'unconfirmed');
/** TELEMETRY. */
export const HPCC_FLAG_REPEATED = flagOf(HPCC_TELEMETRY, 'repeated');
export const HPCC_FLAG_TRIMMED = flagOf(HPCC_TELEMETRY, 'trimmed');
export const HPCC_FLAG_HELD = flagOf(HPCC_TELEMETRY, 'held');
/** TELEMETRY, SETTINGS. */
export const HPCC_FLAG_RESPONSE = flagOf(HPCC_TELEMETRY, 'response');
export const HPCC_FLAG_TO_RECEIVER = flagOf(HPCC_SWITCH_RESPONSE, 'toReceiver');
/** DATA, PROBE: the last four bits of the epoch of the window that the sender uses. */
export const HPCC_EPOCH_SHIFT = 4;

const FLAGS_OF = [0, ...TRANSPORT_TYPES.map(({ type }) => flagMask(type))];

const FIELD = {
  versionType: TRANSPORT.at('version'),
  flags: TRANSPORT.at('flags'),
  length: TRANSPORT.at('length'),
  flowId: TRANSPORT.at('flowId'),
  generation: TRANSPORT.at('generation'),
  sequence: TRANSPORT.at('sequence'),
  token: TRANSPORT.size,
} as const;

export interface HpccTransportHeader {
  readonly type: HpccType;
  /** Sum of HPCC_FLAG_* that belong to the type. */
  readonly flags: number;
  /** 24 bits, chosen by the sender of the data. */
  readonly flowId: number;
  /** 16 bits. */
  readonly generation: number;
  /** Bytes of the body after this header. */
  readonly length: number;
  /** As the table of types says; below 2^53. */
  readonly sequence: number;
  /** Token of the flow in version 4; undefined in version 3. */
  readonly token?: FlowToken | undefined;
}

/** A header that was read, and where the parts of its body lie in the same bytes. */
export interface ReceivedTransport extends HpccTransportHeader {
  readonly headerAt: number;
  readonly bodyAt: number;
  /** Bytes of the congestion records that feedback begins its body with, of one or several packets. */
  readonly recordsLength: Bytes;
  /** Bytes of each of them; the latest is the first. */
  readonly recordLength: Bytes;
  /** Where the cookie and the code of feedback begin, behind a selective acknowledgement. */
  readonly trailerAt: number;
}

type MutableTransport = { -readonly [Name in keyof ReceivedTransport]: ReceivedTransport[Name] };

/** To be filled in. */
export const noTransportHeader = (): MutableTransport => ({
  type: HPCC_DATA,
  flags: 0,
  flowId: 0,
  generation: 0,
  length: 0,
  sequence: 0,
  token: undefined,
  headerAt: 0,
  bodyAt: 0,
  recordsLength: 0,
  recordLength: 0,
  trailerAt: 0,
});

/** A random token of 64 bits, as two words. */
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
  into: MutableTransport = noTransportHeader(),
): ReceivedTransport | WireFault {
  const fault = readHeader(bytes, offset, end, into) ?? lengthFault(into, end - into.bodyAt);
  return fault ?? checkFields(into) ?? checkBody(into, bytes) ?? into;
}

/** The same; data may say a length of which less follows, since a switch has cut their payload. */
export function parseTrimmedData(
  bytes: Uint8Array,
  offset: number,
  end: number,
  into: MutableTransport = noTransportHeader(),
): ReceivedTransport | WireFault {
  const fault = readHeader(bytes, offset, end, into);
  if (fault !== undefined) return fault;
  const rest = end - into.bodyAt;
  const isCut = into.type === HPCC_DATA && into.length > rest;
  if (isCut) return checkFields(into) ?? into;
  return lengthFault(into, rest) ?? checkFields(into) ?? checkBody(into, bytes) ?? into;
}

function readHeader(
  bytes: Uint8Array,
  offset: number,
  end: number,
  into: MutableTransport,
): WireFault | undefined {
  const stored = Math.min(bytes.length, end);
  if (stored < offset + HPCC_TRANSPORT_LENGTH) {
    return truncated(NAME, offset, HPCC_TRANSPORT_LENGTH, stored);
  }
  const version = (bytes[offset] as number) >>> 4;
  const isOfSwitch = ((bytes[offset] as number) & 0xf) === HPCC_SWITCH_RESPONSE;
  const isKnown = isOfSwitch
    ? version === SWITCH_VERSION
    : version === PLAIN_VERSION || version === TOKEN_VERSION;
  if (!isKnown) return new WireFault(NAME, offset, versionFault(version, isOfSwitch));
  const hasToken = version === TOKEN_VERSION;
  const bodyAt = offset + HPCC_TRANSPORT_LENGTH + (hasToken ? FLOW_TOKEN_LENGTH : 0);
  if (stored < bodyAt) return truncated(NAME, offset, bodyAt - offset, stored);
  const type = (bytes[offset] as number) & 0xf;
  if (type < HPCC_DATA || type > HPCC_SETTINGS) {
    return new WireFault(NAME, offset, `type must be 1 to 7, found ${type}`);
  }
  into.type = type as HpccType;
  into.flags = bytes[offset + FIELD.flags] as number;
  into.flowId = readFlowId(bytes, offset);
  into.generation = readUint16(bytes, offset + FIELD.generation);
  into.length = readUint16(bytes, offset + FIELD.length);
  // Above 2^53 the sum may be rounded, but never down to a safe integer.
  into.sequence =
    readUint24(bytes, offset + FIELD.sequence) * WORD_MODULUS +
    readUint32(bytes, offset + FIELD.sequence + 3);
  into.token = hasToken ? readFlowToken(bytes, offset + FIELD.token) : undefined;
  into.headerAt = offset;
  into.bodyAt = bodyAt;
  return undefined;
}

/** Flow id of the header at `offset`, without a look at the rest of it. */
export const readFlowId = (bytes: Uint8Array, offset: number): number =>
  readUint24(bytes, offset + FIELD.flowId);

function versionFault(version: number, isOfSwitch: boolean): string {
  if (isOfSwitch) return `version of a switch response must be 1, found ${version}`;
  const what = `version must be 3 or 4, found ${version}`;
  if (!OLD_VERSIONS.includes(version)) return what;
  return `${what}, which is that of releases up to 0.2: hosts that talk to each other need the same`;
}

function lengthFault({ length, headerAt }: ReceivedTransport, rest: number): WireFault | undefined {
  if (length === rest) return undefined;
  return new WireFault(NAME, headerAt + FIELD.length, `length must be ${rest}, found ${length}`);
}

function checkFields(header: ReceivedTransport): WireFault | undefined {
  const { headerAt, type } = header;
  if (header.sequence > Number.MAX_SAFE_INTEGER) {
    return new WireFault(NAME, headerAt + FIELD.sequence, 'sequence must be below 2^53');
  }
  const isPlain = isFeedback(type) && header.token === undefined;
  const unknown = isPlain ? HPCC_FLAG_COOKIE : 0;
  const foreign = header.flags & ~((FLAGS_OF[type] as number) & ~unknown);
  if (foreign === 0) return undefined;
  const reason = `flags 0x${foreign.toString(16)} do not belong to type ${type}`;
  return new WireFault(NAME, headerAt + FIELD.flags, reason);
}

/** Checks the body and notes where its parts lie. */
function checkBody(header: MutableTransport, bytes: Uint8Array): WireFault | undefined {
  const { type, flags, length, headerAt, bodyAt } = header;
  if (type === HPCC_DATA) {
    if (length > 0) return undefined;
    return new WireFault(NAME, headerAt + FIELD.length, 'data must have a payload');
  }
  if (bytes.length < bodyAt + length) return truncated(NAME, bodyAt, length, bytes.length);
  const records = congestionRecordLength(header);
  const selectiveAt = bodyAt + records;
  // TELEMETRY uses the bit of ACCUMULATED for something else, and all but ACK that of SACK.
  const isAck = type === HPCC_ACK;
  const isSelective = isAck && (flags & HPCC_FLAG_SACK) !== 0;
  const isAccumulated = isAck && (flags & HPCC_FLAG_ACCUMULATED) !== 0;
  const record = isAccumulated ? accumulatedLength(bytes, bodyAt, records) : records;
  if (record === undefined) {
    const reason = 'several records of equal length must follow, and their number';
    return new WireFault(NAME, bodyAt, reason);
  }
  header.recordsLength = records;
  header.recordLength = record;
  header.trailerAt = selectiveAt + (isSelective ? SELECTIVE_ACK_LENGTH : 0);
  if (type === HPCC_SETTINGS && readSettings(bytes, bodyAt, bodyAt + length) === undefined) {
    return new WireFault(NAME, bodyAt, 'settings must be lines of name=value');
  }
  const fault = checkRecord(header);
  return fault !== undefined || !isSelective ? fault : checkSelectiveAck(bytes, selectiveAt);
}

/** Bytes of the echo or other record that an ACK, TELEMETRY or WINDOW begins its body with. */
export function congestionRecordLength({
  type,
  flags,
  length,
}: Pick<HpccTransportHeader, 'type' | 'flags' | 'length'>): number {
  const isSelective = type === HPCC_ACK && (flags & HPCC_FLAG_SACK) !== 0;
  return length - trailerLength(type, flags) - (isSelective ? SELECTIVE_ACK_LENGTH : 0);
}

/** Other types use the bit of COOKIE for something else, and all but answers of switches that of AUTH. */
const isFeedback = (type: HpccType): boolean =>
  type === HPCC_ACK || type === HPCC_TELEMETRY || type === HPCC_WINDOW;

/** Bytes of the cookie and of the authentication that end the body of feedback. */
function trailerLength(type: HpccType, flags: number): number {
  const isOfHost = isFeedback(type);
  if (!isOfHost && type !== HPCC_SWITCH_RESPONSE) return 0;
  const cookie = isOfHost && (flags & HPCC_FLAG_COOKIE) !== 0 ? FLOW_TOKEN_LENGTH : 0;
  return cookie + ((flags & HPCC_FLAG_AUTH) !== 0 ? AUTH_TRAILER_LENGTH : 0);
}

/** Checks that the record of an ACK, PROBE, TELEMETRY or WINDOW has the length that its flags announce. */
function checkRecord({ type, flags, headerAt, recordLength }: ReceivedTransport) {
  const announced = announcedLength(type, flags);
  if (announced === undefined ? recordLength > 0 : recordLength === announced) return undefined;
  const what = announced === undefined ? 'an echo' : `${announced} bytes`;
  const reason = `flags 0x${flags.toString(16)} announce ${what}, but ${recordLength} bytes follow`;
  return new WireFault(NAME, headerAt + FIELD.flags, reason);
}

/** Undefined for an echo or settings, whose length is their own matter; -1, which nothing has, for both kinds. */
function announcedLength(type: HpccType, flags: number): number | undefined {
  if (type === HPCC_WINDOW) return WINDOW_RECORD_LENGTH;
  if (type === HPCC_PROBE) return 0;
  if (type === HPCC_SWITCH_RESPONSE) return SWITCH_RESPONSE_LENGTH;
  if (type === HPCC_SETTINGS) return undefined;
  const hasRatio = (flags & HPCC_FLAG_RATIO) !== 0;
  if ((flags & HPCC_FLAG_ECHO) !== 0) return hasRatio ? -1 : undefined;
  return hasRatio ? LOAD_RATIO_LENGTH : 0;
}

/** Writes the 16 bytes of the header, or 24 with a token; what follows is the caller's. */
export function emitHpccTransport(
  header: HpccTransportHeader,
  bytes: Uint8Array,
  offset: number,
): void {
  const { token } = header;
  bytes[offset] = (versionOf(header) << 4) | header.type;
  writeUint24(bytes, offset + FIELD.flowId, header.flowId);
  writeUint16(bytes, offset + FIELD.generation, header.generation);
  bytes[offset + FIELD.flags] = header.flags;
  writeUint16(bytes, offset + FIELD.length, header.length);
  const high = Math.floor(header.sequence / WORD_MODULUS);
  writeUint24(bytes, offset + FIELD.sequence, high);
  writeUint32(bytes, offset + FIELD.sequence + 3, header.sequence - high * WORD_MODULUS);
  if (token !== undefined) writeFlowToken(token, bytes, offset + FIELD.token);
}

function versionOf({ type, token }: Pick<HpccTransportHeader, 'type' | 'token'>): number {
  if (type === HPCC_SWITCH_RESPONSE) return SWITCH_VERSION;
  return token === undefined ? PLAIN_VERSION : TOKEN_VERSION;
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

const NAME = 'hpcc-transport';
const WORD_MODULUS = 0x1_0000_0000;
