import { writeUint16 } from '../../wire/bytes';
import { checksumWords, finishChecksum, segmentChecksum } from '../../wire/ip/checksum';
import { PROTOCOL_TCP, PROTOCOL_UDP } from '../../wire/ip/ipv4';
import { IPV4_CHECKSUM_AT, IPV4_FIELDS, RAW_IPV4 } from '../../wire/ip/raw-ipv4';
import type { RawIpv4 } from '../../wire/ip/raw-ipv4';
import { IPV6_LENGTH, emitIpv6, parseIpv6 } from '../../wire/ip/ipv6';
import type { Ipv6Header } from '../../wire/ip/ipv6';
import { TCP_CHECKSUM_AT, emitTcp, parseTcp, tcpLength } from '../../wire/ip/tcp';
import type { TcpHeader } from '../../wire/ip/tcp';
import { TRIMMED_DSCP } from '../../wire/ip/trimming';
import { UDP_LENGTH, emitUdpHeader, parseUdpHeader } from '../../wire/ip/udp';
import type { RawUdpHeader } from '../../wire/ip/udp';
import { codecKind, shapeOfFormat } from './layer';
import type { Fields, Laid, LayerKind, Reading } from './layer';
import { dscpFor, kindOfPayload, kindOfProtocol, nextKind, portFor, protocolOf } from './next-kind';
import {
  bytes as bytesField,
  bytesText,
  hexBytes,
  ipv4,
  ipv4Number,
  ipv6,
  ipv6AddressText,
  ipv6Words,
  listOf,
  section,
  uint,
} from './values';

const IPV4 = codecKind(
  'ipv4',
  RAW_IPV4,
  { ...shapeOfFormat(IPV4_FIELDS), source: ipv4, destination: ipv4, options: bytesField() },
  {
    text: 'IPv4 (RFC 791); lengths, protocol and checksum by what follows, dscp where INT is told by it',
    defaults: { version: 4, ttl: 64, source: '10.0.0.1', destination: '10.0.0.2', options: '' },
    derive: (fields, inside) => {
      const length = IPV4_FIELDS.size + (fields['options'] as string).length / 2;
      return {
        headerWords: Math.ceil(length / 4),
        totalLength: (length + inside.length) % 0x10000,
        protocol: protocolOf(nextKind(inside), inside.settings),
        dscp: dscpFor(inside),
      };
    },
    seal: {
      field: 'checksum',
      compute: ({ bytes, at, layers, index }) =>
        finishChecksum(
          checksumWords(bytes, at, at + IPV4_CHECKSUM_AT) +
            checksumWords(bytes, at + IPV4_CHECKSUM_AT + 2, at + (layers[index]?.length ?? 0)),
        ),
      put: ({ bytes, at }, value) => writeUint16(bytes, at + IPV4_CHECKSUM_AT, value),
    },
    next: ({ protocol, dscp, totalLength }, reading, length) => {
      enterIp(reading, dscp as number);
      endAt(reading, Math.max(reading.at + length, reading.at + (totalLength as number)));
      return kindOfProtocol(protocol, reading.settings);
    },
    toHeader: (fields) => ({
      ...fields,
      source: ipv4Number(fields['source'] as string),
      destination: ipv4Number(fields['destination'] as string),
      options: hexBytes(fields['options'] as string),
    }),
    toFields: (header) => {
      const { source, destination, options, ...rest } = header as RawIpv4;
      return {
        ...rest,
        source: ipv4Text(source),
        destination: ipv4Text(destination),
        options: bytesText(options),
      };
    },
  },
);

const ipv4Text = (address: number): string =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');

function enterIp({ notes }: Reading, dscp: number): void {
  notes.dscp = dscp;
  notes.isTrimmed = dscp === TRIMMED_DSCP;
  notes.transport = undefined;
  notes.hasIfa = false;
}

/** The packet ends before the frame: what is behind it is no part of it. */
function endAt({ end, notes, bytes }: Reading, at: number): void {
  if (at < end) notes.plan.set(at, end === bytes.length ? 'trailer' : 'payload');
}

const IPV6 = codecKind(
  'ipv6',
  {
    // What a packet lacks is in its length, which may be wrong on purpose.
    parse: (bytes, offset = 0, end = bytes.length) =>
      parseIpv6(bytes, offset, end < offset + IPV6_LENGTH ? end : offset + IPV6_LENGTH + 0xffff),
    emit: (header, bytes, offset = 0) => emitIpv6(header as Ipv6Header, bytes, offset),
    length: () => IPV6_LENGTH,
  },
  {
    dscp: uint(6),
    ecn: uint(2),
    flowLabel: uint(20),
    payloadLength: uint(16),
    nextHeader: uint(8),
    hopLimit: uint(8),
    source: ipv6,
    destination: ipv6,
  },
  {
    text: 'IPv6 (RFC 8200); payloadLength and nextHeader by what follows, dscp where INT is told by it',
    defaults: { hopLimit: 64, source: 'fd00::1', destination: 'fd00::2' },
    derive: (_, inside) => ({
      payloadLength: inside.length % 0x10000,
      nextHeader: protocolOf(nextKind(inside), inside.settings),
      dscp: dscpFor(inside),
    }),
    next: ({ nextHeader, dscp, payloadLength }, reading, length) => {
      enterIp(reading, dscp as number);
      endAt(reading, reading.at + length + (payloadLength as number));
      return kindOfProtocol(nextHeader, reading.settings);
    },
    toHeader: ({ dscp, ecn, source, destination, ...rest }) => ({
      ...rest,
      trafficClass: 4 * (dscp as number) + (ecn as number),
      source: ipv6Words(source as string),
      destination: ipv6Words(destination as string),
    }),
    toFields: (header) => {
      const { trafficClass, source, destination, ...rest } = header as Ipv6Header;
      const addresses = {
        source: ipv6AddressText(source),
        destination: ipv6AddressText(destination),
      };
      return { ...rest, dscp: trafficClass >>> 2, ecn: trafficClass & 3, ...addresses };
    },
  },
);

/** The IP packet that a layer lies in, and the protocol of the segment. */
function segmentOf(laid: Laid, protocol: number, end: number): number {
  const ip = laid.layers
    .slice(0, laid.index)
    .findLast(({ layer: { kind } }) => kind === 'ipv4' || kind === 'ipv6');
  if (ip === undefined) return 0;
  return segmentChecksum(laid.bytes, { ipOffset: ip.at, offset: laid.at, end, protocol });
}

const UDP = codecKind(
  'udp',
  {
    parse: (bytes, offset = 0, end = bytes.length) => {
      const header = parseUdpHeader(
        bytes,
        offset,
        end < offset + UDP_LENGTH ? end : offset + 0xffff,
      );
      return header;
    },
    emit: (header, bytes, offset = 0) => emitUdpHeader(header as RawUdpHeader, bytes, offset),
    length: () => UDP_LENGTH,
  },
  { sourcePort: uint(16), destinationPort: uint(16), length: uint(16), checksum: uint(16) },
  {
    text: 'UDP; destinationPort, length and checksum by what follows (a given checksum 0 says that there is none)',
    defaults: { sourcePort: 49152 },
    derive: (_, inside) => {
      const [next] = inside.layers;
      const uncounted = next?.layer.kind === 'ifa-metadata' ? next.length : 0;
      return {
        destinationPort: portFor(inside),
        length: (UDP_LENGTH + inside.length - uncounted) % 0x10000,
      };
    },
    seal: {
      field: 'checksum',
      compute: udpChecksum,
      put: ({ bytes, at }, value) => writeUint16(bytes, at + 6, value),
    },
    next: ({ destinationPort }, reading, length) => {
      reading.notes.transport = 'udp';
      reading.notes.destinationPort = destinationPort as number;
      return kindOfPayload(reading, reading.at + length);
    },
  },
);

/** Metadata of IFA, which neither length nor checksum knows, are taken out; a computed zero is sent as ones. */
function udpChecksum(laid: Laid): number {
  const { bytes, at, end, layers, index } = laid;
  const next = layers[index + 1];
  const length = (layers[index]?.layer['length'] ?? 0) as number;
  const gap = next?.layer.kind === 'ifa-metadata' ? next : undefined;
  const plain = gap === undefined ? undefined : without(bytes, gap.at, gap.at + gap.length);
  const segmentEnd = Math.min(at + length, end - (gap?.length ?? 0));
  const place = plain === undefined ? laid : { ...laid, bytes: plain };
  const saved = [place.bytes[at + 6] as number, place.bytes[at + 7] as number];
  writeUint16(place.bytes, at + 6, 0);
  const checksum = segmentOf(place, PROTOCOL_UDP, segmentEnd);
  place.bytes.set(saved, at + 6);
  return checksum === 0 ? 0xffff : checksum;
}

function without(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const rest = new Uint8Array(bytes.length - (to - from));
  rest.set(bytes.subarray(0, from));
  rest.set(bytes.subarray(to), from);
  return rest;
}

const TCP_OPTION = section({ kind: uint(8), data: bytesField() });

const TCP = codecKind(
  'tcp',
  {
    parse: (bytes, offset = 0, end = bytes.length) => parseTcp(bytes, offset, end),
    emit: (header, bytes, offset = 0) => emitTcp(header as TcpHeader, bytes, offset),
    length: (header) => tcpLength(header as TcpHeader),
  },
  {
    sourcePort: uint(16),
    destinationPort: uint(16),
    sequence: uint(32),
    acknowledgement: uint(32),
    flags: uint(8),
    window: uint(16),
    checksum: uint(16),
    urgent: uint(16),
    options: listOf(TCP_OPTION),
  },
  {
    text: 'TCP (RFC 9293); checksum by what follows',
    defaults: { sourcePort: 49152, destinationPort: 80, flags: 0x10, window: 65535, options: [] },
    seal: {
      field: 'checksum',
      compute: (laid) => {
        const { bytes, at, end } = laid;
        const saved = [
          bytes[at + TCP_CHECKSUM_AT] as number,
          bytes[at + TCP_CHECKSUM_AT + 1] as number,
        ];
        writeUint16(bytes, at + TCP_CHECKSUM_AT, 0);
        const checksum = segmentOf(laid, PROTOCOL_TCP, end);
        bytes.set(saved, at + TCP_CHECKSUM_AT);
        return checksum;
      },
      put: ({ bytes, at }, value) => writeUint16(bytes, at + TCP_CHECKSUM_AT, value),
    },
    next: ({ destinationPort }, reading, length) => {
      reading.notes.transport = 'tcp';
      reading.notes.destinationPort = destinationPort as number;
      return kindOfPayload(reading, reading.at + length);
    },
    toHeader: (fields) => ({
      ...fields,
      options: (fields['options'] as readonly Fields[]).map(({ kind = 1, data = '' }) => ({
        kind,
        data: hexBytes(data as string),
      })),
    }),
    toFields: (header) => {
      const { options, ...rest } = header as TcpHeader;
      return {
        ...rest,
        options: options.map(({ kind, data }) => ({ kind, data: bytesText(data) })),
      };
    },
  },
);

export const IP_KINDS: readonly LayerKind[] = [IPV4, IPV6, UDP, TCP];
