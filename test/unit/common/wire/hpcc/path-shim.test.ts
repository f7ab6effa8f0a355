import { WireFault } from '../../../../../common/wire/fault';
import {
  emitPathShim,
  loadOfDigest,
  parsePathShim,
  PATH_SHIM_LENGTH,
} from '../../../../../common/wire/hpcc/path-shim';

describe('the shim of packets without records of hops', () => {
  test.each([
    [{ digest: undefined, sentAtNs: 0x1234_5678_9abc }, '1100123456789abc'],
    [{ digest: 0x71, sentAtNs: undefined }, '1271000000000000'],
    [{ digest: 0, sentAtNs: 1 }, '1300000000000001'],
    [
      { digest: undefined, sentAtNs: undefined, creditTarget: 0x0123_4567_89ab },
      '14000123456789ab',
    ],
  ])('%j is %s', (shim, hex) => {
    const bytes = new Uint8Array(PATH_SHIM_LENGTH);
    emitPathShim(shim, bytes, 0);
    expect(Buffer.from(bytes).toString('hex')).toBe(hex);
    expect(parsePathShim(bytes, 0)).toEqual(shim);
  });

  test.each(['2100000000000000', '1500000000000000', '1800000000000000', '11'])(
    '%s is refused',
    (hex) => {
      expect(parsePathShim(Uint8Array.from(Buffer.from(hex, 'hex')), 0)).toBeInstanceOf(WireFault);
    },
  );

  test('a digest is a logarithm of the load, 14 codes per octave', () => {
    expect(loadOfDigest(0)).toBeUndefined();
    expect(loadOfDigest(1 + 8 * 14)).toBe(1);
    expect(loadOfDigest(1 + 9 * 14)).toBe(2);
  });
});
