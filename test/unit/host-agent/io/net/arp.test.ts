import { arpRequest, senderOfReply } from '../../../../../host-agent/io/net/arp';
import { toHex } from '../../../../support/hex';

const SOURCE = { mac: 0x0200_0000_0001, address: 0x0a00_0001 };

describe('ARP', () => {
  test('asks everybody who has an address', () => {
    expect(toHex(arpRequest(SOURCE, 0x0a00_0002))).toBe(
      'ffffffffffff020000000001' +
        '0806' +
        '0001080006040001' +
        '0200000000010a000001' +
        '0000000000000a000002' +
        '00'.repeat(18),
    );
  });

  test('learns from the reply for that address, and from nothing else', () => {
    const reply = Uint8Array.from(
      Buffer.from(
        '020000000001020000000002' +
          '0806' +
          '0001080006040002' +
          '0200000000020a000002' +
          '0200000000010a000001',
        'hex',
      ),
    );
    expect(senderOfReply(reply, 0x0a00_0002)).toBe(0x0200_0000_0002);
    expect(senderOfReply(reply, 0x0a00_0003)).toBeUndefined();
    expect(senderOfReply(reply.subarray(0, 41), 0x0a00_0002)).toBeUndefined();
    expect(senderOfReply(arpRequest(SOURCE, 0x0a00_0002), SOURCE.address)).toBeUndefined();
  });
});
