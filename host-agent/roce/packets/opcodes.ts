import { assert } from '../../../common/assert';
import type { Bytes } from '../../../common/units/units';

/**
 * Opcodes of the reliable connection (InfiniBand architecture, volume 1, table 38). Atomic
 * operations and SEND with invalidate are not spoken; their codes are unknown here.
 */
export type RcKind = 'send' | 'write' | 'read-request' | 'read-response' | 'acknowledge';

/** Position of a packet in its message. */
export type Position = 'first' | 'middle' | 'last' | 'only';

export interface RcOpcode {
  readonly kind: RcKind;
  readonly position: Position;
  readonly hasImmediate: boolean;
}

const TABLE: readonly (readonly [number, RcKind, Position, boolean?])[] = [
  [0x00, 'send', 'first'],
  [0x01, 'send', 'middle'],
  [0x02, 'send', 'last'],
  [0x03, 'send', 'last', true],
  [0x04, 'send', 'only'],
  [0x05, 'send', 'only', true],
  [0x06, 'write', 'first'],
  [0x07, 'write', 'middle'],
  [0x08, 'write', 'last'],
  [0x09, 'write', 'last', true],
  [0x0a, 'write', 'only'],
  [0x0b, 'write', 'only', true],
  [0x0c, 'read-request', 'only'],
  [0x0d, 'read-response', 'first'],
  [0x0e, 'read-response', 'middle'],
  [0x0f, 'read-response', 'last'],
  [0x10, 'read-response', 'only'],
  [0x11, 'acknowledge', 'only'],
];

/** Codes below this one belong to the reliable connection. */
const RC_CODES_END = 0x20;

const BY_CODE = new Map(
  TABLE.map(([code, kind, position, hasImmediate = false]) => [
    code,
    { kind, position, hasImmediate } satisfies RcOpcode,
  ]),
);
const BY_NAME = new Map(
  TABLE.map(([code, kind, position, hasImmediate = false]) => [
    nameOf(kind, position, hasImmediate),
    code,
  ]),
);

/** Decodes an opcode of the reliable connection; undefined for others and for unsupported ones. */
export const rcOpcode = (code: number): RcOpcode | undefined => BY_CODE.get(code);

/** True if the code is one of the reliable connection, supported or not. */
export const isRcCode = (code: number): boolean => code < RC_CODES_END;

export function rcCode(kind: RcKind, position: Position, hasImmediate = false): number {
  const code = BY_NAME.get(nameOf(kind, position, hasImmediate));
  assert(code !== undefined, `RC has an opcode for ${kind}, ${position}`);
  return code;
}

function nameOf(kind: RcKind, position: Position, hasImmediate: boolean): string {
  return `${kind} ${position} ${hasImmediate}`;
}

/** Packets of a message; one without payload takes one too. */
export const packetCount = (length: Bytes, mtu: Bytes): number =>
  Math.max(1, Math.ceil(length / mtu));

/** The position of packet `index` of `count`. */
export function positionOf(index: number, count: number): Position {
  assert(index >= 0 && index < count, 'a message has the packet');
  if (count === 1) return 'only';
  if (index === 0) return 'first';
  return index === count - 1 ? 'last' : 'middle';
}
