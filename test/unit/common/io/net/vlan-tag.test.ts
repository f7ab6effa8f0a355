import { tagged } from '../../../../../common/io/net/packet-ring';

const FRAME = Uint8Array.from(
  Buffer.from('020000000001' + '020000000002' + '0800' + 'abcd', 'hex'),
);

describe('a VLAN tag that the kernel took off', () => {
  test.each([
    [{ tpid: 0x8100, tci: 0x0064 }, '81000064'],
    [{ tpid: 0x88a8, tci: 0xe123 }, '88a8e123'],
  ])('%j comes back behind the addresses', (tag, hex) => {
    expect(Buffer.from(tagged(FRAME, tag)).toString('hex')).toBe(
      `020000000001020000000002${hex}0800abcd`,
    );
  });
});
