import { emitEthernet, parseEthernet } from '../../../../../common/wire/ip/ethernet';
import { WireFault } from '../../../../../common/wire/fault';
import { emitIpv4, parseIpv4 } from '../../../../../common/wire/ip/ipv4';
import { emitUdp, parseUdp } from '../../../../../common/wire/ip/udp';
import { faultText } from '../../../../support/fault-text';
import { fromHex, toHex } from '../../../../support/hex';

const ETHERNET = fromHex('020100000001 020100000002 0800');
// The IPv4 header of worked example INT-B, a packet of 44 bytes.
const IPV4 = fromHex('452a002c00074000400626990a0000010a000002');

describe('the Ethernet header', () => {
  const value = { destination: 0x020100000001, source: 0x020100000002, etherType: 0x0800 };

  test('is read from fixed bytes', () => {
    expect(parseEthernet(ETHERNET)).toEqual(value);
  });

  test('is written over junk to the same bytes', () => {
    const bytes = new Uint8Array(14).fill(0xa5);
    emitEthernet(value, bytes);
    expect(toHex(bytes)).toBe(toHex(ETHERNET));
  });

  test.each(Array.from({ length: 14 }, (_, n) => n))('cut to %d bytes is a fault', (length) => {
    const fault = parseEthernet(ETHERNET.subarray(0, length));
    expect(faultText(fault)).toBe(`ethernet at byte 0: needs 14 bytes, ${length} left`);
  });
});

describe('the IPv4 header', () => {
  const value = {
    dscp: 0x0a,
    ecn: 2,
    totalLength: 44,
    identification: 7,
    ttl: 64,
    protocol: 6,
    source: 0x0a000001,
    destination: 0x0a000002,
  };

  test('is read from fixed bytes', () => {
    expect(parseIpv4(IPV4, 0, 44)).toEqual({ ...value, headerLength: 20, dontFragment: true });
  });

  test('is written over junk to the same bytes, checksum included', () => {
    const bytes = new Uint8Array(20).fill(0xa5);
    emitIpv4(value, bytes, 0);
    expect(toHex(bytes)).toBe(toHex(IPV4));
  });

  test.each(Array.from({ length: 20 }, (_, n) => n))('cut to %d bytes is a fault', (length) => {
    expect(parseIpv4(IPV4.subarray(0, length), 0, 44)).toBeInstanceOf(WireFault);
  });

  const patched = (at: number, byte: number): Uint8Array => {
    const bytes = IPV4.slice();
    bytes[at] = byte;
    return bytes;
  };

  test.each([
    ['another version', patched(0, 0x65), 44, 'ipv4 at byte 0: version must be 4, found 6'],
    ['a header of 16 bytes', patched(0, 0x44), 44, 'header length must be at least 20, found 16'],
    ['a total length beyond the frame', IPV4, 43, 'total length must be 20 to 43, found 44'],
    [
      'a total length below the header',
      patched(3, 19),
      44,
      'total length must be 20 to 44, found 19',
    ],
    ['a fragment', patched(6, 0x20), 44, 'fragments are not accepted'],
    ['a damaged field', patched(8, 63), 44, 'wrong header checksum'],
  ])('with %s is a fault that says so', (_what, bytes, end, message) => {
    expect(faultText(parseIpv4(bytes, 0, end))).toContain(message);
  });
});

describe('the UDP header', () => {
  const header = { sourcePort: 0xc000, destinationPort: 0x12b7, length: 12 };
  const context = { source: 0x0a000001, destination: 0x0a000002, offset: 0, end: 12 };
  // Sum: 0a00+0001+0a00+0002+0011+000c (pseudo) + c000+12b7+000c + dead+beef = 2_848d+...
  const datagram = (): Uint8Array => {
    const bytes = fromHex('a5a5a5a5a5a5a5a5 deadbeef');
    emitUdp(header, bytes, context);
    return bytes;
  };

  test('is written with a checksum that covers pseudo-header and payload', () => {
    // 0a00+0001+0a00+0002+0011+000c = 1420; c000+12b7+000c = d2c3; dead+beef = 19d9c;
    // 1420+d2c3+19d9c = 2847f, folded 8481, complement 7b7e.
    expect(toHex(datagram())).toBe('c00012b7000c7b7edeadbeef');
  });

  test('is read back', () => {
    expect(parseUdp(datagram(), context)).toEqual(header);
  });

  test('verifies a virtual payload, which is zero and not stored', () => {
    const bytes = new Uint8Array(8);
    const virtual = { ...context, end: 1008 };
    emitUdp({ ...header, length: 1008 }, bytes, virtual);
    expect(parseUdp(bytes, virtual)).toMatchObject({ length: 1008 });
  });

  test('accepts a checksum of zero, which means none', () => {
    const bytes = datagram();
    bytes.fill(0, 6, 8);
    expect(parseUdp(bytes, context)).toEqual(header);
  });

  test('sends a computed checksum of zero as all ones', () => {
    // A payload word that makes the sum ffff: complement 0000.
    const bytes = fromHex('0000000000000000 18ca0000');
    emitUdp({ ...header, sourcePort: 0xc000 }, bytes, context);
    const rest = 0xffff - 0x1420 - 0xd2c3;
    bytes[8] = rest >>> 8;
    bytes[9] = rest & 0xff;
    emitUdp(header, bytes, context);
    expect(toHex(bytes.subarray(6, 8))).toBe('ffff');
    expect(parseUdp(bytes, context)).toEqual(header);
  });

  test.each(Array.from({ length: 8 }, (_, n) => n))('cut to %d bytes is a fault', (length) => {
    expect(parseUdp(datagram().subarray(0, length), context)).toBeInstanceOf(WireFault);
  });

  test('with a damaged payload is a fault', () => {
    const bytes = datagram();
    bytes[11] = 0;
    expect(faultText(parseUdp(bytes, context))).toBe('udp at byte 6: wrong checksum');
  });

  test.each([
    [7, 'length must be 8 to 12, found 7'],
    [13, 'length must be 8 to 12, found 13'],
  ])('with length %d is a fault', (length, message) => {
    const bytes = datagram();
    bytes[5] = length;
    expect(faultText(parseUdp(bytes, context))).toContain(message);
  });
});
