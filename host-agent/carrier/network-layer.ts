import { readUint32, writeUint16, writeUint32 } from '../../common/wire/bytes';
import { checksumWords, finishChecksum } from '../../common/wire/ip/checksum';
import { WireFault } from '../../common/wire/fault';
import { ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from '../../common/wire/ip/ethernet';
import {
  ipv4Bytes,
  emitIpv4,
  ipv4Fault,
  ipv4Field,
  ipv4HeaderLength,
  IPV4_LENGTH,
} from '../../common/wire/ip/ipv4';
import { emitIpv6, IPV6_LENGTH, parseIpv6, readIpv6Address } from '../../common/wire/ip/ipv6';
import type { Ipv6Address } from '../../common/wire/ip/ipv6';
import { ipv4OfMapped, MAPPED_PREFIX_SUM, mappedIpv6 } from '../../common/wire/ip/mapped-ipv6';
import { ipv4OfUsids, USID_PREFIX_SUM, usidAddress } from '../../common/wire/ip/usid';
import type { Bytes } from '../../common/units/units';

/** Facts of an IP header, of either version. */
export interface IpFacts {
  /** IPv4 addresses as unsigned 32-bit integers, by which hosts know each other in either version. */
  readonly source: number;
  readonly destination: number;
  readonly protocol: number;
  readonly dscp: number;
  readonly ecn: number;
  /** Offsets of the end of the header and of the end of the datagram in the frame. */
  readonly payloadAt: number;
  readonly end: number;
}

type MutableIpFacts = { -readonly [Name in keyof IpFacts]: IpFacts[Name] };

/** Makes an empty object to be filled in. */
export const noIpFacts = (): MutableIpFacts => ({
  source: 0,
  destination: 0,
  protocol: 0,
  dscp: 0,
  ecn: 0,
  payloadAt: 0,
  end: 0,
});

/** The version of IP that a carrier lives in. */
export interface NetworkLayer {
  readonly etherType: number;
  /** Bytes of the header that is written. */
  readonly headerLength: Bytes;
  /** Place of the length in the header, which grows with what switches add. */
  readonly lengthAt: number;
  /** Sum of the fields that UDP's pseudo-header has beyond two IPv4 addresses. */
  readonly prefixSum: number;
  /**
   * Undefined for addresses that are no host's.
   * @param frameEnd may be beyond the stored bytes.
   * @param into is filled in and returned. PERF: a host has one for all frames.
   */
  parse(
    bytes: Uint8Array,
    at: number,
    frameEnd: number,
    into?: MutableIpFacts,
  ): IpFacts | WireFault | undefined;
  /** Writes all that does not differ from packet to packet. */
  emit(fields: ConstantIpFields, bytes: Uint8Array, at: number): void;
  /** An address as the header has it. */
  readonly addressBytes: (address: number) => Uint8Array;
  /** The address that bytes of a header are; undefined for those of no host, and of the other version. */
  readonly addressOf: (bytes: Uint8Array) => number | undefined;
  /** Sum of the words that were written, which {@link stamp} starts from. */
  sumOf(bytes: Uint8Array, at: number): number;
  /** Writes what differs: `length` bytes follow the header. PERF: per packet. */
  stamp(bytes: Uint8Array, at: number, fields: PacketFields, sum: number): void;
}

interface ConstantIpFields extends Omit<IpFacts, 'payloadAt' | 'end'> {
  readonly ttl: number;
}

interface PacketFields {
  /** Bytes behind the header. */
  readonly length: Bytes;
  /** 16 bits; IPv6 has no place for it. */
  readonly identification: number;
}

const IPV4_ADDRESS_LENGTH = 4;
const IPV6_ADDRESS_LENGTH = 16;

/** Places within an IPv4 header. */
const TOTAL_LENGTH = 2;
const IDENTIFICATION = 4;
const IPV4_CHECKSUM = 10;

export const IPV4_LAYER: NetworkLayer = {
  etherType: ETHERTYPE_IPV4,
  headerLength: IPV4_LENGTH,
  lengthAt: TOTAL_LENGTH,
  prefixSum: 0,

  parse(bytes, at, frameEnd, into = noIpFacts()) {
    const fault = ipv4Fault(bytes, at, frameEnd);
    if (fault !== undefined) return fault;
    const dscpEcn = ipv4Field.dscpEcn(bytes, at);
    into.source = ipv4Field.source(bytes, at);
    into.destination = ipv4Field.destination(bytes, at);
    into.protocol = ipv4Field.protocol(bytes, at);
    into.dscp = dscpEcn >>> 2;
    into.ecn = dscpEcn & 3;
    into.payloadAt = at + ipv4HeaderLength(bytes, at);
    into.end = at + ipv4Field.totalLength(bytes, at);
    return into;
  },

  emit({ source, destination, protocol, dscp, ecn, ttl }, bytes, at) {
    const fields = { source, destination, protocol, dscp, ecn, ttl };
    emitIpv4({ ...fields, totalLength: 0, identification: 0 }, bytes, at);
  },

  addressBytes: ipv4Bytes,

  addressOf: (bytes) => (bytes.length === IPV4_ADDRESS_LENGTH ? readUint32(bytes, 0) : undefined),

  sumOf: (bytes, at) =>
    checksumWords(bytes, at, at + IPV4_CHECKSUM) + checksumWords(bytes, at + 12, at + IPV4_LENGTH),

  stamp(bytes, at, { length, identification }, sum) {
    const totalLength = IPV4_LENGTH + length;
    writeUint16(bytes, at + TOTAL_LENGTH, totalLength);
    writeUint16(bytes, at + IDENTIFICATION, identification);
    writeUint16(bytes, at + IPV4_CHECKSUM, finishChecksum(sum + totalLength + identification));
  },
};

const PAYLOAD_LENGTH = 4;

/** The IPv6 addresses of hosts that know each other by IPv4 addresses. */
interface Addresses {
  /** Sum of the 16-bit words of an address beyond the halves of its IPv4 address. */
  readonly prefixSum: number;
  readonly of: (ipv4: number) => Ipv6Address;
  /** Undefined for those of no host. */
  readonly ipv4Of: (address: Ipv6Address) => number | undefined;
}

const ipv6Layer = (addresses: Addresses): NetworkLayer => ({
  etherType: ETHERTYPE_IPV6,
  headerLength: IPV6_LENGTH,
  lengthAt: PAYLOAD_LENGTH,
  prefixSum: 2 * addresses.prefixSum,

  parse(bytes, at, frameEnd, into = noIpFacts()) {
    if (bytes.length < at + IPV6_LENGTH)
      return new WireFault('ipv6', at, 'the header is cut short');
    const ip = parseIpv6(bytes, at, frameEnd);
    if (ip instanceof WireFault) return ip;
    const source = addresses.ipv4Of(ip.source);
    const destination = addresses.ipv4Of(ip.destination);
    if (source === undefined || destination === undefined) return undefined;
    into.source = source;
    into.destination = destination;
    into.protocol = ip.nextHeader;
    into.dscp = ip.trafficClass >>> 2;
    into.ecn = ip.trafficClass & 3;
    into.payloadAt = at + IPV6_LENGTH;
    into.end = into.payloadAt + ip.payloadLength;
    return into;
  },

  emit({ source, destination, protocol, dscp, ecn, ttl }, bytes, at) {
    const header = {
      trafficClass: (dscp << 2) | ecn,
      flowLabel: 0,
      payloadLength: 0,
      nextHeader: protocol,
      hopLimit: ttl,
      source: addresses.of(source),
      destination: addresses.of(destination),
    };
    emitIpv6(header, bytes, at);
  },

  addressBytes(address) {
    const bytes = new Uint8Array(16);
    addresses.of(address).forEach((word, i) => writeUint32(bytes, 4 * i, word));
    return bytes;
  },

  addressOf: (bytes) =>
    bytes.length === IPV6_ADDRESS_LENGTH ? addresses.ipv4Of(readIpv6Address(bytes, 0)) : undefined,

  sumOf: () => 0,

  stamp(bytes, at, { length }) {
    writeUint16(bytes, at + PAYLOAD_LENGTH, length);
  },
});

/** IPv6 between the mapped addresses of the hosts. */
export const IPV6_LAYER = ipv6Layer({
  prefixSum: MAPPED_PREFIX_SUM,
  of: mappedIpv6,
  ipv4Of: ipv4OfMapped,
});

/** IPv6 between addresses at the end of paths of uSIDs. */
export const USID_LAYER = ipv6Layer({
  prefixSum: USID_PREFIX_SUM,
  of: usidAddress,
  ipv4Of: ipv4OfUsids,
});

export const IP_VERSIONS = ['ipv4', 'ipv6'] as const;
export type IpVersion = (typeof IP_VERSIONS)[number];

export const IP_LAYERS: Readonly<Record<IpVersion, NetworkLayer>> = {
  ipv4: IPV4_LAYER,
  ipv6: IPV6_LAYER,
};
