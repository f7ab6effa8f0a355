import { AETH_LENGTH, emitAeth, parseAeth } from '../../../common/wire/roce/extended-headers';
import { RETH_LENGTH, emitReth, parseReth } from '../../../common/wire/roce/extended-headers';
import { AUTH_TRAILER_LENGTH, emitAuthTrailer } from '../../../common/wire/security/message-mac';
import { parseAuthTrailer } from '../../../common/wire/security/message-mac';
import { BTH_LENGTH, emitBth, parseBth } from '../../../common/wire/roce/bth';
import * as ccmNotification from '../../../common/wire/coordination/ccm-notification';
import { CCM_TAG_LENGTH, emitCcmTag, parseCcmTag } from '../../../common/wire/coordination/ccm-tag';
import { CNP_LENGTH, emitCnp, parseCnp } from '../../../common/wire/roce/cnp';
import * as compactResponse from '../../../common/wire/roce/cnp';
import { CSIG_LENGTH, emitCsig, parseCsig, CSIG_WIDE_LENGTH } from '../../../common/wire/csig/csig';
import { emitCsigWide, parseCsigWide } from '../../../common/wire/csig/csig';
import { ETHERNET_LENGTH, emitEthernet, parseEthernet } from '../../../common/wire/ip/ethernet';
import { VLAN_LENGTH, emitVlan, parseVlan } from '../../../common/wire/ip/ethernet';
import { WireFault } from '../../../common/wire/fault';
import { emitGeneve, geneveLength, parseGeneve, emitGre } from '../../../common/wire/ip/tunnels';
import { greLength, parseGre, VXLAN_GPE_LENGTH } from '../../../common/wire/ip/tunnels';
import { emitVxlanGpe, parseVxlanGpe } from '../../../common/wire/ip/tunnels';
import { emitHpccPadding, hpccPaddingLength } from '../../../common/wire/hpcc/hpcc-padding';
import { parseHpccPadding } from '../../../common/wire/hpcc/hpcc-padding';
import { HPCC_TRANSPORT_LENGTH, emitHpccTransport } from '../../../common/wire/hpcc/hpcc-transport';
import { parseHpccTransport } from '../../../common/wire/hpcc/hpcc-transport';
import { IFA_HEADER_LENGTH, emitIfaHeader, parseIfaHeader } from '../../../common/wire/ifa/ifa2';
import { emitIfaMetadata, ifaMetadataLength } from '../../../common/wire/ifa/ifa2';
import { parseIfaMetadata } from '../../../common/wire/ifa/ifa2';
import { emitIfa1, ifa1Length, parseIfa1, parseIfa1Header } from '../../../common/wire/ifa/ifa1';
import { INT_GENEVE_OPTION_LENGTH } from '../../../common/wire/int/int-tunnels';
import { emitIntGeneveOption, parseIntGeneveOption } from '../../../common/wire/int/int-tunnels';
import { INT_GRE_SHIM_LENGTH, emitIntGreShim } from '../../../common/wire/int/int-tunnels';
import { parseIntGreShim, INT_VXLAN_GPE_SHIM_LENGTH } from '../../../common/wire/int/int-tunnels';
import { emitIntVxlanGpeShim, parseIntVxlanGpeShim } from '../../../common/wire/int/int-tunnels';
import { emitHops, emitIntMdSource, parseIntMd, readHops } from '../../../common/wire/int/int-md';
import { INT_MD_HEADER_LENGTH, emitIntMdHeader } from '../../../common/wire/int/int-md-header';
import { parseIntMdHeader } from '../../../common/wire/int/int-md-header';
import { emitIntPacket, intPacketLength } from '../../../common/wire/int/int-packet';
import { parseIntPacket } from '../../../common/wire/int/int-packet';
import { IOAM_INTEGRITY_LENGTH, emitIoamIntegrity } from '../../../common/wire/ioam/ioam-integrity';
import { parseIoamIntegrity } from '../../../common/wire/ioam/ioam-integrity';
import { emitIoamNode, ioamNodeLength, parseIoamNode } from '../../../common/wire/ioam/ioam-node';
import { emitIoamOption, ioamOptionLength } from '../../../common/wire/ioam/ioam-option';
import { parseIoamOption } from '../../../common/wire/ioam/ioam-option';
import { IPV4_LENGTH, emitIpv4, parseIpv4 } from '../../../common/wire/ip/ipv4';
import { IPV6_LENGTH, emitIpv6, parseIpv6, emitIpv6Options } from '../../../common/wire/ip/ipv6';
import { ipv6OptionsLength, parseIpv6Options } from '../../../common/wire/ip/ipv6';
import { NS3_INT_LENGTH, emitNs3Int, parseNs3Int } from '../../../common/wire/hpcc/ns3-int-header';
import { emitTcp, parseTcp, tcpLength } from '../../../common/wire/ip/tcp';
import { TELEMETRY_REQUEST_LENGTH } from '../../../common/wire/roce/telemetry-messages';
import { emitTelemetryRequest } from '../../../common/wire/roce/telemetry-messages';
import { parseTelemetryRequest } from '../../../common/wire/roce/telemetry-messages';
import { TELEMETRY_RESPONSE_LENGTH } from '../../../common/wire/roce/telemetry-messages';
import { emitTelemetryResponse } from '../../../common/wire/roce/telemetry-messages';
import { parseTelemetryResponse } from '../../../common/wire/roce/telemetry-messages';
import { emitTelemetryReport } from '../../../common/wire/int/telemetry-report';
import { parseTelemetryReport } from '../../../common/wire/int/telemetry-report';
import { telemetryReportLength } from '../../../common/wire/int/telemetry-report';
import { UDP_LENGTH, emitUdpHeader, parseUdpHeader } from '../../../common/wire/ip/udp';
import { ioamOptions } from './ioam-options';

/** The trio that every format has, with the value's type hidden. */
export interface AnyCodec {
  parse(bytes: Uint8Array, offset: number, end: number): object;
  /** Parses, and writes what was parsed into new bytes; a fault if it cannot be parsed. */
  roundTrip(bytes: Uint8Array, offset: number, end: number): Uint8Array | WireFault;
}

interface Trio<T extends object> {
  readonly parse: (bytes: Uint8Array, offset: number, end: number) => T | WireFault;
  readonly emit: (value: T, bytes: Uint8Array, offset: number) => void;
  readonly length: number | ((value: T) => number);
}

export function anyCodec<T extends object>({ parse, emit, length }: Trio<T>): AnyCodec {
  return {
    parse,
    roundTrip(bytes, offset, end) {
      const value = parse(bytes, offset, end);
      if (value instanceof WireFault) return value;
      const out = new Uint8Array(typeof length === 'number' ? length : length(value));
      // What was in the buffer before must not show through.
      out.fill(0xa5);
      emit(value, out, 0);
      return out;
    },
  };
}

/** `parse` of a node's data, whose trace type is in the option's header. */
const ioamNode = (traceType: number): AnyCodec =>
  anyCodec({
    parse: (bytes, offset, end) => parseIoamNode(bytes, offset, end, traceType),
    emit: (node, bytes, offset) => emitIoamNode(node, bytes, offset, traceType),
    length: (node) => ioamNodeLength(traceType, node),
  });

const csig = (dialect: 'ietf' | 'uec'): AnyCodec =>
  anyCodec({
    parse: (bytes, offset, end) => parseCsig(bytes, offset, end, dialect),
    emit: (tag, bytes, offset) => emitCsig(tag, bytes, offset, dialect),
    length: CSIG_LENGTH,
  });

const padding = (aligned: boolean): AnyCodec =>
  anyCodec({
    parse: (bytes, offset, end) => parseHpccPadding(bytes, offset, end, aligned),
    emit: emitHpccPadding,
    length: hpccPaddingLength,
  });

const intPacket = (sourceOnlyLength: number): AnyCodec =>
  anyCodec({
    parse: (bytes, offset, end) => parseIntPacket(bytes, offset, end, { sourceOnlyLength }),
    emit: emitIntPacket,
    length: intPacketLength,
  });

/** The path of the sender: one domain, hop records instead of blocks. */
const intHpDomain = anyCodec({
  parse: (bytes, offset, end) => {
    const held = bytes.subarray(0, end);
    const int = parseIntMd(held, offset);
    if (int instanceof WireFault) return int;
    return { int, hops: readHops(int, held, offset), dscp: 0 };
  },
  emit: ({ int, hops }, bytes, offset) => {
    emitIntMdSource({ remainingHops: int.remainingHops, originalDscp: 0 }, bytes, offset);
    emitHops(hops, bytes, offset);
  },
  length: ({ int }) => int.length,
});

export const CODECS = {
  aeth: anyCodec({ parse: parseAeth, emit: emitAeth, length: AETH_LENGTH }),
  'auth-trailer': anyCodec({
    parse: parseAuthTrailer,
    emit: emitAuthTrailer,
    length: AUTH_TRAILER_LENGTH,
  }),
  bth: anyCodec({ parse: parseBth, emit: emitBth, length: BTH_LENGTH }),
  'ccm-notification': anyCodec({
    parse: ccmNotification.parseCcmNotification,
    emit: ccmNotification.emitCcmNotification,
    length: ccmNotification.ccmNotificationLength,
  }),
  'ccm-tag': anyCodec({ parse: parseCcmTag, emit: emitCcmTag, length: CCM_TAG_LENGTH }),
  cnp: anyCodec({ parse: parseCnp, emit: emitCnp, length: CNP_LENGTH }),
  'compact-response': anyCodec({
    parse: compactResponse.parseCompactResponse,
    emit: compactResponse.emitCompactResponse,
    length: compactResponse.COMPACT_RESPONSE_LENGTH,
  }),
  'csig-ietf': csig('ietf'),
  'csig-uec': csig('uec'),
  'csig-wide': anyCodec({ parse: parseCsigWide, emit: emitCsigWide, length: CSIG_WIDE_LENGTH }),
  ethernet: anyCodec({
    parse: (bytes, offset, end) => parseEthernet(bytes.subarray(0, end), offset),
    emit: emitEthernet,
    length: ETHERNET_LENGTH,
  }),
  geneve: anyCodec({ parse: parseGeneve, emit: emitGeneve, length: geneveLength }),
  gre: anyCodec({ parse: parseGre, emit: emitGre, length: greLength }),
  'hpcc-padding': padding(false),
  'hpcc-padding-aligned': padding(true),
  'hpcc-transport': anyCodec({
    parse: parseHpccTransport,
    emit: emitHpccTransport,
    length: HPCC_TRANSPORT_LENGTH,
  }),
  'ifa-header': anyCodec({ parse: parseIfaHeader, emit: emitIfaHeader, length: IFA_HEADER_LENGTH }),
  'ifa-metadata': anyCodec({
    parse: parseIfaMetadata,
    emit: emitIfaMetadata,
    length: ifaMetadataLength,
  }),
  ifa1: anyCodec({ parse: parseIfa1, emit: emitIfa1, length: ifa1Length }),
  'ifa1-header': anyCodec({ parse: parseIfa1Header, emit: emitIfa1, length: ifa1Length }),
  'int-geneve-option': anyCodec({
    parse: parseIntGeneveOption,
    emit: emitIntGeneveOption,
    length: INT_GENEVE_OPTION_LENGTH,
  }),
  'int-gre-shim': anyCodec({
    parse: parseIntGreShim,
    emit: emitIntGreShim,
    length: INT_GRE_SHIM_LENGTH,
  }),
  'int-hp-domain': intHpDomain,
  'int-md-header': anyCodec({
    parse: parseIntMdHeader,
    emit: emitIntMdHeader,
    length: INT_MD_HEADER_LENGTH,
  }),
  'int-packet': intPacket(0),
  'int-packet-source-only-8': intPacket(8),
  'int-vxlan-gpe-shim': anyCodec({
    parse: parseIntVxlanGpeShim,
    emit: emitIntVxlanGpeShim,
    length: INT_VXLAN_GPE_SHIM_LENGTH,
  }),
  'ioam-integrity': anyCodec({
    parse: parseIoamIntegrity,
    emit: emitIoamIntegrity,
    length: IOAM_INTEGRITY_LENGTH,
  }),
  'ioam-node-820000': ioamNode(0x820000),
  'ioam-node-d20800': ioamNode(0xd20800),
  'ioam-node-ffffff': ioamNode(0xffffff),
  'ioam-option': anyCodec({
    parse: parseIoamOption,
    emit: emitIoamOption,
    length: ioamOptionLength,
  }),
  'ioam-options': ioamOptions,
  ipv4: anyCodec({
    parse: (bytes, offset, end) => parseIpv4(bytes.subarray(0, end), offset, end),
    emit: emitIpv4,
    length: IPV4_LENGTH,
  }),
  ipv6: anyCodec({ parse: parseIpv6, emit: emitIpv6, length: IPV6_LENGTH }),
  'ipv6-options': anyCodec({
    parse: parseIpv6Options,
    emit: emitIpv6Options,
    length: ({ options }) => ipv6OptionsLength(options),
  }),
  'ns3-int': anyCodec({ parse: parseNs3Int, emit: emitNs3Int, length: NS3_INT_LENGTH }),
  reth: anyCodec({ parse: parseReth, emit: emitReth, length: RETH_LENGTH }),
  tcp: anyCodec({ parse: parseTcp, emit: emitTcp, length: tcpLength }),
  'telemetry-report': anyCodec({
    parse: parseTelemetryReport,
    emit: emitTelemetryReport,
    length: telemetryReportLength,
  }),
  'telemetry-request': anyCodec({
    parse: parseTelemetryRequest,
    emit: emitTelemetryRequest,
    length: TELEMETRY_REQUEST_LENGTH,
  }),
  'telemetry-response': anyCodec({
    parse: parseTelemetryResponse,
    emit: emitTelemetryResponse,
    length: TELEMETRY_RESPONSE_LENGTH,
  }),
  udp: anyCodec({ parse: parseUdpHeader, emit: emitUdpHeader, length: UDP_LENGTH }),
  vlan: anyCodec({ parse: parseVlan, emit: emitVlan, length: VLAN_LENGTH }),
  'vxlan-gpe': anyCodec({ parse: parseVxlanGpe, emit: emitVxlanGpe, length: VXLAN_GPE_LENGTH }),
} as const satisfies Readonly<Record<string, AnyCodec>>;

export type CodecName = keyof typeof CODECS;
