import {
  afterIpIn,
  destinationIn,
  dscpIn,
  growDatagram,
  mendUdpChecksum,
  sourceIn,
} from '../../../../../common/wire/ip/plain-frame';
import { WireFault } from '../../../../../common/wire/fault';
import { emitEthernet, ETHERNET_LENGTH } from '../../../../../common/wire/ip/ethernet';
import { PROTOCOL_UDP } from '../../../../../common/wire/ip/ipv4';
import { emitUdpHeader, udpFault } from '../../../../../common/wire/ip/udp';
import { IP_LAYERS, IP_VERSIONS } from '../../../../../host-agent/carrier/network-layer';
import type { IpVersion } from '../../../../../host-agent/carrier/network-layer';

const SOURCE = 0x0a000001;
const DESTINATION = 0xc0a80102;
const PAYLOAD = 24;

function frame(version: IpVersion): Uint8Array {
  const network = IP_LAYERS[version];
  const udpAt = ETHERNET_LENGTH + network.headerLength;
  const bytes = new Uint8Array(udpAt + 8 + PAYLOAD).fill(0x5a);
  emitEthernet({ source: 1, destination: 2, etherType: network.etherType }, bytes);
  const addresses = { source: SOURCE, destination: DESTINATION };
  const ip = { ...addresses, protocol: PROTOCOL_UDP, dscp: 0x17, ecn: 2, ttl: 64 };
  network.emit(ip, bytes, ETHERNET_LENGTH);
  const sum = network.sumOf(bytes, ETHERNET_LENGTH);
  network.stamp(bytes, ETHERNET_LENGTH, { length: 8 + PAYLOAD, identification: 7 }, sum);
  const udp = { sourcePort: 50_000, destinationPort: 4791, length: 8 + PAYLOAD, checksum: 0 };
  emitUdpHeader(udp, bytes, udpAt);
  return bytes;
}

/** The first fault that parsers find in a frame. */
function faultOf(version: IpVersion, bytes: Uint8Array): WireFault | undefined {
  const network = IP_LAYERS[version];
  const ip = network.parse(bytes, ETHERNET_LENGTH, bytes.length);
  if (ip === undefined || ip instanceof WireFault) return ip;
  const { source, destination, payloadAt: offset, end } = ip;
  return udpFault(bytes, { source, destination, offset, end, prefixSum: network.prefixSum });
}

describe.each(IP_VERSIONS)('a plain frame of %s', (version) => {
  it('is looked at without being parsed', () => {
    const bytes = frame(version);
    expect(afterIpIn(bytes)).toBe(ETHERNET_LENGTH + IP_LAYERS[version].headerLength);
    expect([dscpIn(bytes), sourceIn(bytes), destinationIn(bytes)]).toEqual([
      0x17,
      SOURCE,
      DESTINATION,
    ]);
  });

  it('gets a checksum that parsers accept', () => {
    const bytes = frame(version);
    expect(faultOf(version, bytes)?.reason).toBe('wrong checksum');
    mendUdpChecksum(bytes);
    expect(faultOf(version, bytes)).toBeUndefined();
  });

  it('is longer with its checksums right', () => {
    const grown = new Uint8Array([...frame(version), ...new Uint8Array(32).fill(9)]);
    growDatagram(grown, 32);
    expect(faultOf(version, grown)).toBeUndefined();
    grown[grown.length - 1] = 8;
    expect(faultOf(version, grown)?.reason).toBe('wrong checksum');
  });

  it('names its addresses as bytes that lead back to them', () => {
    const { addressBytes, addressOf } = IP_LAYERS[version];
    const bytes = addressBytes(DESTINATION);
    expect(addressOf(bytes)).toBe(DESTINATION);
    expect(addressOf(bytes.subarray(1))).toBeUndefined();
    if (version === 'ipv6') expect(addressOf(bytes.slice().fill(1, 0, 1))).toBeUndefined();
  });
});
