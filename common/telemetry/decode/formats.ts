import { ccmNotificationLength } from '../../wire/coordination/ccm-notification';
import { emitCcmNotification } from '../../wire/coordination/ccm-notification';
import { parseCcmNotification } from '../../wire/coordination/ccm-notification';
import type { CcmNotification } from '../../wire/coordination/ccm-notification';
import { CCM_TAG_LENGTH, emitCcmTag, parseCcmTag } from '../../wire/coordination/ccm-tag';
import type { CcmIndicators } from '../../wire/coordination/ccm-tag';
import { CSIG_LENGTH, CSIG_WIDE, emitCsig, parseCsig } from '../../wire/csig/csig';
import type { CsigDialect, CsigTag, CsigWideTag } from '../../wire/csig/csig';
import { emitHpccPadding, hpccPaddingLength, parseHpccPadding } from '../../wire/hpcc/hpcc-padding';
import type { HpccPadding } from '../../wire/hpcc/hpcc-padding';
import { NS3_INT_LENGTH, emitNs3Int, parseNs3Int } from '../../wire/hpcc/ns3-int-header';
import type { Ns3IntHeader } from '../../wire/hpcc/ns3-int-header';
import { ifa1Length, emitIfa1, parseIfa1 } from '../../wire/ifa/ifa1';
import type { Ifa1 } from '../../wire/ifa/ifa1';
import { IFA_HEADER_LENGTH, emitIfaHeader, parseIfaHeader } from '../../wire/ifa/ifa2';
import { ifaMetadataLength, emitIfaMetadata, parseIfaMetadata } from '../../wire/ifa/ifa2';
import type { IfaHeader, IfaMetadata } from '../../wire/ifa/ifa2';
import { intPacketLength, emitIntPacket, parseIntPacket } from '../../wire/int/int-packet';
import type { IntPacket } from '../../wire/int/int-packet';
import { INT_GENEVE_OPTION, INT_GRE_SHIM, INT_VXLAN_GPE_SHIM } from '../../wire/int/int-tunnels';
import type { IntGeneveOption, IntGreShim, IntVxlanGpeShim } from '../../wire/int/int-tunnels';
import { telemetryReportLength, emitTelemetryReport } from '../../wire/int/telemetry-report';
import { parseTelemetryReport } from '../../wire/int/telemetry-report';
import type { TelemetryReport } from '../../wire/int/telemetry-report';
import { IOAM_INTEGRITY_LENGTH, emitIoamIntegrity } from '../../wire/ioam/ioam-integrity';
import { parseIoamIntegrity } from '../../wire/ioam/ioam-integrity';
import type { IoamIntegrity } from '../../wire/ioam/ioam-integrity';
import { ioamOptionLength, emitIoamOption, parseIoamOption } from '../../wire/ioam/ioam-option';
import type { IoamOption } from '../../wire/ioam/ioam-option';
import { ETHERNET_LENGTH, VLAN, emitEthernet, parseEthernet } from '../../wire/ip/ethernet';
import type { EthernetHeader, VlanTag } from '../../wire/ip/ethernet';
import { IPV4_LENGTH, emitIpv4, parseIpv4 } from '../../wire/ip/ipv4';
import type { Ipv4Header, ParsedIpv4 } from '../../wire/ip/ipv4';
import { IPV6_LENGTH, emitIpv6, parseIpv6, ipv6OptionsLength } from '../../wire/ip/ipv6';
import { emitIpv6Options, parseIpv6Options } from '../../wire/ip/ipv6';
import type { Ipv6Header, WrittenIpv6Options, Ipv6Options } from '../../wire/ip/ipv6';
import { NSH_IOAM_HEAD, emitNsh, nshLength, parseNsh } from '../../wire/ip/nsh';
import type { NshHeader, NshIoamHead } from '../../wire/ip/nsh';
import { tcpLength, emitTcp, parseTcp } from '../../wire/ip/tcp';
import type { TcpHeader, ParsedTcp } from '../../wire/ip/tcp';
import { VXLAN_GPE, emitGeneve, emitGre, geneveLength } from '../../wire/ip/tunnels';
import { greLength, parseGeneve, parseGre } from '../../wire/ip/tunnels';
import type { GeneveHeader, GreHeader, VxlanGpeHeader } from '../../wire/ip/tunnels';
import { UDP_LENGTH, emitUdpHeader, parseUdpHeader } from '../../wire/ip/udp';
import type { RawUdpHeader } from '../../wire/ip/udp';
import type { WireFault } from '../../wire/fault';
import type { WireFormat } from '../../wire/fixed-format';
import { CNP_LENGTH, COMPACT_RESPONSE, emitCnp, parseCnp } from '../../wire/roce/cnp';
import type { Cnp, CompactResponse } from '../../wire/roce/cnp';

const format = <Written extends object, Read extends Written = Written>(
  parse: (bytes: Uint8Array, offset: number, end: number) => Read | WireFault,
  emit: (header: Written, bytes: Uint8Array, offset: number) => void,
  length: number | ((header: Written) => number),
): WireFormat<Written, Read> => ({
  parse: (bytes, offset = 0, end = bytes.length) => parse(bytes, offset, end),
  emit: (header, bytes, offset = 0) => emit(header, bytes, offset),
  length: typeof length === 'number' ? () => length : length,
});

const csigOf = (dialect: CsigDialect): WireFormat<CsigTag> =>
  format(
    (bytes, offset, end) => parseCsig(bytes, offset, end, dialect),
    (tag, bytes, offset) => emitCsig(tag, bytes, offset, dialect),
    CSIG_LENGTH,
  );

const paddingOf = (aligned: boolean): WireFormat<HpccPadding> =>
  format(
    (bytes, offset, end) => parseHpccPadding(bytes, offset, end, aligned),
    emitHpccPadding,
    hpccPaddingLength,
  );

/**
 * Headers of telemetry, and of what carries it, by name. Checksums are fields like others, except
 * IPv4's, which is computed.
 *
 * @example
 * const tag = { tpid: 0x9900, type: 2, signal: 0, locator: 0, doNotUpdate: false };
 * const bytes = new Uint8Array(FORMATS['csig-ietf'].length(tag));
 * FORMATS['csig-ietf'].emit(updateCsig(tag, 7, 0x15), bytes);
 * FORMATS['csig-ietf'].parse(bytes); // { …, signal: 7, locator: 0x15 }
 */
export const FORMATS: {
  readonly 'ccm-notification': WireFormat<CcmNotification>;
  readonly 'ccm-tag': WireFormat<CcmIndicators>;
  readonly cnp: WireFormat<Cnp>;
  readonly 'compact-response': WireFormat<CompactResponse>;
  readonly 'csig-ietf': WireFormat<CsigTag>;
  readonly 'csig-uec': WireFormat<CsigTag>;
  readonly 'csig-wide': WireFormat<CsigWideTag>;
  readonly ethernet: WireFormat<EthernetHeader>;
  readonly geneve: WireFormat<GeneveHeader>;
  readonly gre: WireFormat<GreHeader>;
  readonly 'hpcc-padding': WireFormat<HpccPadding>;
  readonly 'hpcc-padding-aligned': WireFormat<HpccPadding>;
  readonly 'ifa-header': WireFormat<IfaHeader>;
  readonly 'ifa-metadata': WireFormat<IfaMetadata>;
  readonly ifa1: WireFormat<Ifa1>;
  readonly 'int-geneve-option': WireFormat<IntGeneveOption>;
  readonly 'int-gre-shim': WireFormat<IntGreShim>;
  readonly 'int-packet': WireFormat<IntPacket>;
  readonly 'int-vxlan-gpe-shim': WireFormat<IntVxlanGpeShim>;
  readonly 'ioam-integrity': WireFormat<IoamIntegrity>;
  readonly 'ioam-option': WireFormat<IoamOption>;
  readonly ipv4: WireFormat<Ipv4Header, ParsedIpv4>;
  readonly ipv6: WireFormat<Ipv6Header>;
  readonly 'ipv6-options': WireFormat<WrittenIpv6Options, Ipv6Options>;
  readonly 'ns3-int': WireFormat<Ns3IntHeader>;
  readonly nsh: WireFormat<NshHeader>;
  readonly 'nsh-ioam': WireFormat<NshIoamHead>;
  readonly tcp: WireFormat<TcpHeader, ParsedTcp>;
  readonly 'telemetry-report': WireFormat<TelemetryReport>;
  readonly udp: WireFormat<RawUdpHeader>;
  readonly vlan: WireFormat<VlanTag>;
  readonly 'vxlan-gpe': WireFormat<VxlanGpeHeader>;
} = {
  'ccm-notification': format(parseCcmNotification, emitCcmNotification, ccmNotificationLength),
  'ccm-tag': format(parseCcmTag, emitCcmTag, CCM_TAG_LENGTH),
  cnp: format(parseCnp, emitCnp, CNP_LENGTH),
  'compact-response': COMPACT_RESPONSE,
  'csig-ietf': csigOf('ietf'),
  'csig-uec': csigOf('uec'),
  'csig-wide': CSIG_WIDE,
  ethernet: format(
    (bytes, offset, end) => parseEthernet(bytes.subarray(0, end), offset),
    emitEthernet,
    ETHERNET_LENGTH,
  ),
  geneve: format(parseGeneve, emitGeneve, geneveLength),
  gre: format(parseGre, emitGre, greLength),
  'hpcc-padding': paddingOf(false),
  'hpcc-padding-aligned': paddingOf(true),
  'ifa-header': format(parseIfaHeader, emitIfaHeader, IFA_HEADER_LENGTH),
  'ifa-metadata': format(parseIfaMetadata, emitIfaMetadata, ifaMetadataLength),
  ifa1: format(parseIfa1, emitIfa1, ifa1Length),
  'int-geneve-option': INT_GENEVE_OPTION,
  'int-gre-shim': INT_GRE_SHIM,
  'int-packet': format(parseIntPacket, emitIntPacket, intPacketLength),
  'int-vxlan-gpe-shim': INT_VXLAN_GPE_SHIM,
  'ioam-integrity': format(parseIoamIntegrity, emitIoamIntegrity, IOAM_INTEGRITY_LENGTH),
  'ioam-option': format(parseIoamOption, emitIoamOption, ioamOptionLength),
  ipv4: format(
    (bytes, offset, end) => parseIpv4(bytes.subarray(0, end), offset, end),
    emitIpv4,
    IPV4_LENGTH,
  ),
  ipv6: format(parseIpv6, emitIpv6, IPV6_LENGTH),
  'ipv6-options': format(parseIpv6Options, emitIpv6Options, ipv6OptionsLength),
  'ns3-int': format(parseNs3Int, emitNs3Int, NS3_INT_LENGTH),
  nsh: format(parseNsh, emitNsh, nshLength),
  'nsh-ioam': NSH_IOAM_HEAD,
  tcp: format(parseTcp, emitTcp, tcpLength),
  'telemetry-report': format(parseTelemetryReport, emitTelemetryReport, telemetryReportLength),
  udp: format(parseUdpHeader, emitUdpHeader, UDP_LENGTH),
  vlan: VLAN,
  'vxlan-gpe': VXLAN_GPE,
};
