import { emitPause, isMacControl, parsePause } from '../../../../../common/wire/ip/mac-control';
import { fromHex, toHex } from '../../../../support/hex';

/** IEEE 802.3 annex 31D: classes 0 and 3, of which 3 may go on. */
const PFC =
  '0180c2000001 020000000007 8808 0101 0009 ffff 0000 0000 0000 0000 0000 0000 0000' +
  ' 00000000000000000000000000000000000000000000000000000000';

test('a PFC frame has its classes and times in the places of the standard', () => {
  const quanta = [0xffff, 0, 0, 0, 0, 0, 0, 0];
  expect(toHex(emitPause({ classes: 0b1001, quanta }, 0x0200_0000_0007))).toBe(
    PFC.replaceAll(' ', '').slice(0, 120),
  );
  expect(parsePause(fromHex(PFC.replaceAll(' ', '')))).toEqual({ classes: 0b1001, quanta });
});

test('the older PAUSE concerns all classes', () => {
  const frame = fromHex('0180c20000010200000000078808000101f4' + '00'.repeat(42));
  expect(parsePause(frame)).toEqual({ classes: 0xff, quanta: new Array(8).fill(500) });
});

test.each([
  ['another opcode', '0180c20000010200000000078808000200ff'],
  ['a host that bridges reach', `020000000001${PFC.replaceAll(' ', '').slice(12)}`],
  ['every host', `ffffffffffff${PFC.replaceAll(' ', '').slice(12)}`],
  ['a frame that is cut short', '0180c2000001020000000007880801010001ffff'],
])('to or by %s it asks for nothing, and is MAC control all the same', (_, hex) => {
  expect(isMacControl(fromHex(hex))).toBe(true);
  expect(parsePause(fromHex(hex))).toBeUndefined();
});

test('an IPv4 frame is none', () => {
  expect(isMacControl(fromHex('0180c2000001020000000007080045'))).toBe(false);
});
