import {
  isRcCode,
  packetCount,
  positionOf,
  rcCode,
  rcOpcode,
} from '../../../../../host-agent/roce/packets/opcodes';
import type { Position, RcKind } from '../../../../../host-agent/roce/packets/opcodes';

describe('opcodes of the reliable connection', () => {
  test.each<[number, RcKind, Position, boolean]>([
    [0x00, 'send', 'first', false],
    [0x01, 'send', 'middle', false],
    [0x02, 'send', 'last', false],
    [0x03, 'send', 'last', true],
    [0x04, 'send', 'only', false],
    [0x05, 'send', 'only', true],
    [0x06, 'write', 'first', false],
    [0x07, 'write', 'middle', false],
    [0x08, 'write', 'last', false],
    [0x09, 'write', 'last', true],
    [0x0a, 'write', 'only', false],
    [0x0b, 'write', 'only', true],
    [0x0c, 'read-request', 'only', false],
    [0x0d, 'read-response', 'first', false],
    [0x0e, 'read-response', 'middle', false],
    [0x0f, 'read-response', 'last', false],
    [0x10, 'read-response', 'only', false],
    [0x11, 'acknowledge', 'only', false],
  ])('0x%s is %s, %s, immediate data: %s', (code, kind, position, hasImmediate) => {
    expect(rcOpcode(code)).toEqual({ kind, position, hasImmediate });
    expect(rcCode(kind, position, hasImmediate)).toBe(code);
  });

  test.each([0x12, 0x13, 0x14, 0x16, 0x17])('0x%s is one of them, but not spoken', (code) => {
    expect(rcOpcode(code)).toBeUndefined();
    expect(isRcCode(code)).toBe(true);
  });

  test.each([0x20, 0x64, 0x81, 0xc0, 0xc1])('%s belongs to another service', (code) => {
    expect(rcOpcode(code)).toBeUndefined();
    expect(isRcCode(code)).toBe(false);
  });

  test.each<[number, number, Position]>([
    [0, 1, 'only'],
    [0, 2, 'first'],
    [1, 2, 'last'],
    [1, 3, 'middle'],
    [2, 3, 'last'],
  ])('packet %d of %d is the %s one', (index, count, position) => {
    expect(positionOf(index, count)).toBe(position);
  });

  test.each([
    [0, 1],
    [1, 1],
    [256, 1],
    [257, 2],
    [2 ** 31, 2 ** 23],
  ])('a message of %d bytes takes %d of them at an MTU of 256', (length, packets) => {
    expect(packetCount(length, 256)).toBe(packets);
  });
});
