/**
 * The program that the kernel runs on each arriving frame to lower windows: eBPF (RFC 9669), for the
 * ingress of an interface. It lowers the window of a segment whose
 * connection is in a map, and updates its checksum by the difference (RFC 1624).
 *
 *     r6 context    r7 limit, in the network's order    r8 window, then the deadline    r9 window as it is in memory
 *     stack, from -64 on: the first 54 bytes of the frame; at -4 the new window, at -72 a key
 */
import { ETHERNET_LENGTH, ETHERTYPE_IPV4 } from '../../common/wire/ip/ethernet';
import { INT_DSCP } from '../../common/wire/int/int-md';
import { IPV4_LENGTH, PROTOCOL_TCP } from '../../common/wire/ip/ipv4';
import { TCP_CHECKSUM_AT, TCP_LENGTH } from '../../common/wire/ip/tcp';
import { writeUint16, writeUint32 } from '../../common/wire/bytes';
import type { Bytes } from '../../common/units/units';
import type { ConnectionKey } from './connection-key';
import { FLAG_ACK, FLAG_SYN } from './observed-segment';

/** Source address, destination address and both ports of arriving segments, as they are in them. */
export const WINDOW_KEY_BYTES = 12;
/** The limit as a 32-bit number of this machine. */
export const WINDOW_VALUE_BYTES = 4;

const TCP_AT = ETHERNET_LENGTH + IPV4_LENGTH;
const HEADERS = TCP_AT + TCP_LENGTH;
const WINDOW_AT = TCP_AT + 14;
const FRAME = -64;
const NEW_WINDOW = -4;
const FIRST_KEY = -72;

/** Functions of the kernel. */
const MAP_LOOKUP = 1;
const NANOSECONDS = 5;
const STORE_BYTES = 9;
const REPLACE_L4_CHECKSUM = 11;
const LOAD_BYTES = 26;
/** The packet goes on as if the program were not there. */
const NEXT = -1;

/** Segments beyond W: they wait in the own class, or for a delayed acknowledgement. */
const SLACK_BYTES: Bytes = 4 * 1460;

/**
 * The largest window field that lets `windowBytes` be in flight, with a little more: below four
 * segments delayed acknowledgements would stop a connection.
 * @param scale shift of the field, 0 to 14.
 * @returns 1 to 65535; never 0, which would close the window.
 */
export function windowField(windowBytes: Bytes, scale: number): number {
  const field = Math.ceil((windowBytes + SLACK_BYTES) / 2 ** scale);
  return Math.min(Math.max(field, 1), 0xffff);
}

interface Fields {
  readonly to?: number;
  readonly from?: number;
  readonly offset?: number;
  readonly value?: number;
}

type Emit = (code: number, fields?: Fields) => void;

/** Maps that the program reads and writes, by their descriptors. */
export interface WindowMaps {
  readonly limits: number;
  readonly counter: number;
  /** Instant of the kernel's clock until which limits hold: who sets them has to go on living. */
  readonly deadline: number;
}

/** @returns the program, as an array of the C structure bpf_insn. */
export function windowProgram({ limits, counter, deadline }: WindowMaps): Uint8Array {
  const lines: (Fields & { readonly code: number })[] = [];
  const leaves: number[] = [];
  const emit: Emit = (code, fields = {}) => void lines.push({ code, ...fields });
  const leaveUnless = (code: number, to: number, value: number): void => {
    leaves.push(lines.length);
    emit(code, { to, value });
  };
  loadHeaders(emit, leaveUnless);
  checkHeaders(emit, leaveUnless);
  lookUp(emit, limits, FRAME + ETHERNET_LENGTH + 12);
  leaveUnless(IF_EQUAL, 0, 0);
  emit(LOAD_WORD, { to: 7, from: 0 });
  emit(LOAD_HALF, { to: 9, from: 10, offset: FRAME + WINDOW_AT });
  emit(MOVE, { to: 8, from: 9 });
  emit(NETWORK_ORDER, { to: 8, value: 16 });
  leaves.push(lines.length);
  emit(IF_AT_MOST_REGISTER, { to: 8, from: 7 });
  emit(NETWORK_ORDER, { to: 7, value: 16 });
  lookUpFirst(emit, deadline);
  leaveUnless(IF_EQUAL, 0, 0);
  emit(LOAD_DOUBLE, { to: 8, from: 0 });
  emit(CALL, { value: NANOSECONDS });
  leaves.push(lines.length);
  emit(IF_GREATER_REGISTER, { to: 0, from: 8 });
  replaceWindow(emit);
  count(emit, counter);
  const end = lines.length;
  emit(SET, { to: 0, value: NEXT });
  emit(EXIT);
  const jumps = new Map(leaves.map((at) => [at, end - at - 1]));
  return encode(lines.map((line, at) => ({ ...line, offset: jumps.get(at) ?? line.offset ?? 0 })));
}

type LeaveUnless = (code: number, to: number, value: number) => void;

function loadHeaders(emit: Emit, leaveUnless: LeaveUnless): void {
  emit(MOVE, { to: 6, from: 1 });
  emit(SET, { to: 2, value: 0 });
  stackAddress(emit, 3, FRAME);
  emit(SET, { to: 4, value: HEADERS });
  emit(CALL, { value: LOAD_BYTES });
  leaveUnless(IF_NOT_EQUAL, 0, 0);
}

/** TCP over IPv4 without options, no telemetry, an acknowledgement and no SYN: its window has no scale. */
function checkHeaders(emit: Emit, leaveUnless: LeaveUnless): void {
  const field = (code: number, at: number): void =>
    emit(code, { to: 1, from: 10, offset: FRAME + at });
  field(LOAD_HALF, 12);
  emit(NETWORK_ORDER, { to: 1, value: 16 });
  leaveUnless(IF_NOT_EQUAL, 1, ETHERTYPE_IPV4);
  field(LOAD_BYTE, ETHERNET_LENGTH);
  leaveUnless(IF_NOT_EQUAL, 1, 0x45);
  field(LOAD_BYTE, ETHERNET_LENGTH + 9);
  leaveUnless(IF_NOT_EQUAL, 1, PROTOCOL_TCP);
  field(LOAD_BYTE, ETHERNET_LENGTH + 1);
  emit(AND, { to: 1, value: 0xfc });
  leaveUnless(IF_EQUAL, 1, INT_DSCP << 2);
  field(LOAD_BYTE, TCP_AT + 13);
  emit(AND, { to: 1, value: FLAG_SYN | FLAG_ACK });
  leaveUnless(IF_NOT_EQUAL, 1, FLAG_ACK);
}

function replaceWindow(emit: Emit): void {
  emit(MOVE, { to: 1, from: 6 });
  emit(SET, { to: 2, value: TCP_AT + TCP_CHECKSUM_AT });
  emit(MOVE, { to: 3, from: 9 });
  emit(MOVE, { to: 4, from: 7 });
  // The flags hold how many bytes have changed.
  emit(SET, { to: 5, value: 2 });
  emit(CALL, { value: REPLACE_L4_CHECKSUM });
  emit(STORE_HALF, { to: 10, from: 7, offset: NEW_WINDOW });
  emit(MOVE, { to: 1, from: 6 });
  emit(SET, { to: 2, value: WINDOW_AT });
  stackAddress(emit, 3, NEW_WINDOW);
  emit(SET, { to: 4, value: 2 });
  emit(SET, { to: 5, value: 0 });
  emit(CALL, { value: STORE_BYTES });
}

/** Emits the count of lowered windows: the only element of an array. */
function count(emit: Emit, counterFd: number): void {
  lookUpFirst(emit, counterFd);
  emit(IF_EQUAL, { to: 0, value: 0, offset: 2 });
  emit(SET, { to: 1, value: 1 });
  emit(ADD_ATOMICALLY, { to: 0, from: 1 });
}

/** Looks the only element of an array up. */
function lookUpFirst(emit: Emit, mapFd: number): void {
  emit(STORE_WORD_VALUE, { to: 10, offset: FIRST_KEY, value: 0 });
  lookUp(emit, mapFd, FIRST_KEY);
}

function lookUp(emit: Emit, mapFd: number, keyAt: number): void {
  const PSEUDO_MAP_FD = 1;
  emit(LOAD_64, { to: 1, from: PSEUDO_MAP_FD, value: mapFd });
  emit(0);
  stackAddress(emit, 2, keyAt);
  emit(CALL, { value: MAP_LOOKUP });
}

function stackAddress(emit: Emit, to: number, at: number): void {
  emit(MOVE, { to, from: 10 });
  emit(ADD, { to, value: at });
}

/** Codes of instructions: RFC 9669 section 5. */
const LOAD_64 = 0x18;
const LOAD_DOUBLE = 0x79;
const LOAD_WORD = 0x61;
const LOAD_HALF = 0x69;
const LOAD_BYTE = 0x71;
const STORE_HALF = 0x6b;
const STORE_WORD_VALUE = 0x62;
const ADD_ATOMICALLY = 0xdb;
const ADD = 0x07;
const AND = 0x57;
const SET = 0xb7;
const MOVE = 0xbf;
/** Swaps bytes where this machine's order is not the network's. */
const NETWORK_ORDER = 0xdc;
const IF_EQUAL = 0x15;
const IF_NOT_EQUAL = 0x55;
const IF_AT_MOST_REGISTER = 0xbd;
const IF_GREATER_REGISTER = 0x2d;
const CALL = 0x85;
const EXIT = 0x95;

function encode(lines: readonly (Fields & { readonly code: number })[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * lines.length));
  lines.forEach(({ code, to = 0, from = 0, offset = 0, value = 0 }, i) => {
    view.setUint8(8 * i, code);
    view.setUint8(8 * i + 1, (from << 4) | to);
    view.setInt16(8 * i + 2, offset, true);
    view.setInt32(8 * i + 4, value, true);
  });
  return new Uint8Array(view.buffer);
}

/** Key of the segments that arrive for a connection: the remote end is their source. */
export function windowKey(key: ConnectionKey): Uint8Array {
  const bytes = new Uint8Array(WINDOW_KEY_BYTES);
  writeUint32(bytes, 0, key.remoteAddress);
  writeUint32(bytes, 4, key.localAddress);
  writeUint16(bytes, 8, key.remotePort);
  writeUint16(bytes, 10, key.localPort);
  return bytes;
}

/** @param field 1 to 65535. */
export const windowValue = (field: number): Uint8Array =>
  new Uint8Array(new Uint32Array([field]).buffer);
