import { parseSocketClass, socketRequest } from '../../../../host-agent/tcp/socket-message';
import { toHex } from '../../../support/hex';

const KEY = {
  localAddress: 0x0a00_0002,
  localPort: 40_000,
  remoteAddress: 0x0a00_0001,
  remotePort: 5201,
};

/** An answer of the kernel with attributes behind the 72 bytes of a socket. */
function answer(attributes: readonly (readonly [number, number])[], type = 20): Uint8Array {
  const bytes = new Uint8Array(16 + 72 + 8 * attributes.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.length, true);
  view.setUint16(4, type, true);
  attributes.forEach(([kind, value], i) => {
    view.setUint16(88 + 8 * i, 5, true);
    view.setUint16(90 + 8 * i, kind, true);
    bytes[92 + 8 * i] = value;
  });
  return bytes;
}

describe('messages about TCP sockets', () => {
  test('ask for the type of service of one connection', () => {
    expect(toHex(socketRequest(KEY))).toBe(
      '48000000140001000000000000000000' + // length 72, SOCK_DIAG_BY_FAMILY, a request
        '02061000ffffffff' + // IPv4, TCP, the fifth extension, in any state
        '9c4014510a000002' +
        '00000000000000000000000' +
        '00a000001000000000000000000000000' + // the other address
        '00000000' +
        'ffffffffffffffff', // any socket of these ends
    );
  });

  test.each([
    [[[5, 46 << 2]], 46],
    [[[5, (8 << 2) | 3]], 8],
    [
      [
        [8, 1],
        [5, 0xb8],
      ],
      46,
    ],
    [[[8, 1]], undefined],
    [[], undefined],
  ] as const)('with attributes %j say class %p', (attributes, dscp) => {
    expect(parseSocketClass(answer(attributes))).toBe(dscp);
  });

  test('of errors, and cut ones, say nothing', () => {
    expect(parseSocketClass(answer([[5, 46 << 2]], 2))).toBeUndefined();
    expect(parseSocketClass(answer([[5, 46 << 2]]).subarray(0, 88))).toBeUndefined();
    expect(parseSocketClass(new Uint8Array(3))).toBeUndefined();
    const endless = answer([[5, 46 << 2]]);
    endless.fill(0, 88, 92);
    expect(parseSocketClass(endless)).toBeUndefined();
  });
});
