import { readUint32 } from '../../wire/bytes';
import { WireFault } from '../../wire/fault';
import { hpccPaddingLength, parseHpccPadding } from '../../wire/hpcc/hpcc-padding';
import { parseHpccTransport } from '../../wire/hpcc/hpcc-transport';
import { PATH_SHIM_PORT } from '../../wire/hpcc/path-shim';
import { IFA1_MARKERS } from '../../wire/ifa/ifa1';
import { isIntV05 } from '../../wire/int/int-v05';
import { parseIntHead } from '../../wire/int/int-packet';
import type { IntHead } from '../../wire/int/int-packet';
import { INT_SHIM_LENGTH } from '../../wire/int/int-shim';
import { olderReportVersion } from '../../wire/int/older-report';
import { ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from '../../wire/ip/ethernet';
import { ETHERTYPE_SERVICE_VLAN, ETHERTYPE_VLAN } from '../../wire/ip/ethernet';
import { PROTOCOL_TCP, PROTOCOL_UDP } from '../../wire/ip/ipv4';
import { NEXT_DESTINATION_OPTIONS, NEXT_HOP_BY_HOP } from '../../wire/ip/ipv6';
import { ETHERTYPE_NSH } from '../../wire/ip/nsh';
import { GENEVE_PORT, PROTOCOL_GRE, VXLAN_GPE_PORT, VXLAN_PORT } from '../../wire/ip/tunnels';
import { BTH_TELEMETRY_REQUEST, BTH_TELEMETRY_RESPONSE, parseBth } from '../../wire/roce/bth';
import type { DecodeSettings } from '../decode/decode-settings';
import type { AnyLayer, Inside, Reading } from './layer';

/** Code points by which a layer says what is behind it, in both directions. */

const ETHERTYPE_ETHERNET = 0x6558;
const ETHERTYPE_MPLS = 0x8847;
const ETHERTYPE_MPLS_MULTICAST = 0x8848;

/** Kind behind an EtherType; undefined for others. */
export function kindOfEtherType(etherType: unknown, settings: DecodeSettings): string | undefined {
  switch (etherType) {
    case ETHERTYPE_IPV4:
      return 'ipv4';
    case ETHERTYPE_IPV6:
      return 'ipv6';
    case ETHERTYPE_VLAN:
    case ETHERTYPE_SERVICE_VLAN:
      return 'vlan';
    case ETHERTYPE_MPLS:
    case ETHERTYPE_MPLS_MULTICAST:
      return 'mpls';
    case ETHERTYPE_ETHERNET:
      return 'ethernet';
    case ETHERTYPE_NSH:
      return 'nsh';
    case settings.csigTpid:
      return 'csig';
    case settings.csigWideTpid:
      return 'csig-wide';
    case settings.ccmTpid:
      return 'ccm-tag';
    default:
      return undefined;
  }
}

/** IP by its version, behind layers that name no protocol. */
export function kindOfVersion(bytes: Uint8Array, at: number): string | undefined {
  const version = (bytes[at] ?? 0) >>> 4;
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : undefined;
}

/** EtherType that announces a kind; 0 where none does. */
export function etherTypeOf(kind: string | undefined, settings: DecodeSettings): number {
  const known: Readonly<Record<string, number>> = {
    ipv4: ETHERTYPE_IPV4,
    ipv6: ETHERTYPE_IPV6,
    vlan: ETHERTYPE_VLAN,
    mpls: ETHERTYPE_MPLS,
    ethernet: ETHERTYPE_ETHERNET,
    nsh: ETHERTYPE_NSH,
    csig: settings.csigTpid,
    'csig-wide': settings.csigWideTpid,
    'ccm-tag': settings.ccmTpid,
    'int-gre-shim': settings.intGreProtocol,
  };
  return known[kind ?? ''] ?? 0;
}

/** Kind behind an IP protocol number. */
export function kindOfProtocol(protocol: unknown, settings: DecodeSettings): string | undefined {
  if (settings.ifaProtocols.includes(protocol as number)) return 'ifa';
  return PROTOCOL_KINDS.find(([number]) => number === protocol)?.[1];
}

const PROTOCOL_KINDS: readonly (readonly [number, string])[] = [
  [PROTOCOL_UDP, 'udp'],
  [PROTOCOL_TCP, 'tcp'],
  [PROTOCOL_GRE, 'gre'],
  [NEXT_HOP_BY_HOP, 'hop-by-hop'],
  [NEXT_DESTINATION_OPTIONS, 'destination-options'],
];

/** Protocol that says that nothing follows (RFC 8200 section 4.7). */
const NOTHING_FOLLOWS = 59;

export const protocolOf = (kind: string | undefined, settings: DecodeSettings): number =>
  kind === 'ifa'
    ? (settings.ifaProtocols[0] as number)
    : (PROTOCOL_KINDS.find(([, name]) => name === kind)?.[0] ?? NOTHING_FOLLOWS);

/** Kind of what is next to a layer. */
export const nextKind = ({ layers }: Inside): string | undefined => layers[0]?.layer.kind;

/** Headers that lie between that of UDP or TCP and what the port is for. */
const BETWEEN: ReadonlySet<string> = new Set([
  'int-marker',
  'int-shim',
  'int-md',
  'int-mx',
  'int-v1',
  'int-v0.5',
  'ifa-metadata',
  'hpcc-padding',
]);

/** Destination port of UDP for what follows; 0 where nothing of it has a port. */
export function portFor(inside: Inside): number {
  const { layers, settings } = inside;
  const shim = layers[0]?.layer;
  if (shim?.kind === 'int-shim' && shim['npt'] !== 0) return settings.intPort;
  return portOf(behindTelemetry(layers.map(({ layer }) => layer))?.kind, settings);
}

const behindTelemetry = (layers: readonly AnyLayer[]): AnyLayer | undefined =>
  layers.find(({ kind }) => !BETWEEN.has(kind));

/** The same for what lies behind INT, which the sink restores. */
export const originalPortFor = ({ layers, settings }: Inside): number =>
  portOf(behindTelemetry(layers.map(({ layer }) => layer))?.kind, settings);

const portOf = (kind: string | undefined, settings: DecodeSettings): number =>
  ({
    vxlan: VXLAN_PORT,
    'vxlan-gpe': VXLAN_GPE_PORT,
    geneve: GENEVE_PORT,
    bth: settings.rocePort,
    'ccm-notification': settings.ccmPort,
    report: settings.reportPort,
    'report-v1': settings.reportPort,
    'report-v0.5': settings.reportPort,
    'path-shim': PATH_SHIM_PORT,
    hpcc: settings.transportPort,
  })[kind ?? ''] ?? 0;

/** DSCP of an IP packet whose payload is told by it. */
export function dscpFor({ layers, settings }: Inside): number {
  for (const { layer } of layers) {
    if (INNER_PACKETS.has(layer.kind)) return 0;
    const byDscp = layer.kind === 'int-shim' ? layer['npt'] === 0 : TOLD_BY_DSCP.has(layer.kind);
    if (byDscp) return settings.intDscp;
  }
  return 0;
}

const INNER_PACKETS = new Set([
  'ethernet',
  'ipv4',
  'ipv6',
  'vxlan',
  'gre',
  'geneve',
  'vxlan-gpe',
  'hpcc',
  'bth',
]);
const TOLD_BY_DSCP = new Set(['int-v1', 'int-v0.5', 'hpcc-padding']);

/** Kind of the payload of UDP or TCP at an offset; `reading` is that of the transport header. */
export function kindOfPayload(reading: Reading, at: number): string | undefined {
  const { bytes, end, settings, notes } = reading;
  if (at >= end) return undefined;
  const isUdp = notes.transport === 'udp';
  if (isUdp && notes.destinationPort === VXLAN_PORT) return 'vxlan';
  if (isUdp && notes.destinationPort === VXLAN_GPE_PORT) return 'vxlan-gpe';
  if (isUdp && notes.destinationPort === GENEVE_PORT) return 'geneve';
  if (settings.padding !== 'none' && notes.destinationPort === settings.rocePort) {
    return settings.padding === 'ns3' ? 'ns3-int' : 'hpcc-padding';
  }
  if (notes.hasIfa) return 'ifa-metadata';
  if (isUdp && startsWith(bytes, at, end, IFA1_MARKERS)) return 'ifa1';
  const { intMarker } = settings;
  if (intMarker !== undefined && startsWith(bytes, at, end, intMarker)) return 'int-marker';
  return intKind(reading, at) ?? kindOfPort(reading, at);
}

const startsWith = (
  bytes: Uint8Array,
  at: number,
  end: number,
  words: readonly [number, number],
): boolean =>
  end >= at + 8 && readUint32(bytes, at) === words[0] && readUint32(bytes, at + 4) === words[1];

function intKind(reading: Reading, at: number): string | undefined {
  const { bytes, settings, notes } = reading;
  const isUdp = notes.transport === 'udp';
  const isRoce = isUdp && notes.destinationPort === settings.rocePort;
  if (isRoce && ROCE_MESSAGES.includes(bytes[at] as number)) return undefined;
  const byPort = isUdp && notes.destinationPort === settings.intPort;
  if (!byPort && notes.dscp !== settings.intDscp) return undefined;
  return isOwnPadding(reading, at) ? 'hpcc-padding' : intShimKind(reading, at);
}

const ROCE_MESSAGES: readonly number[] = [BTH_TELEMETRY_REQUEST, BTH_TELEMETRY_RESPONSE];
const OLD_TYPE = 1;

/** Versions before 2.0 have a type of eight bits, so that the first byte is 1. */
export const intShimKind = ({ bytes, end }: Reading, at: number): string =>
  bytes[at] !== OLD_TYPE ? 'int-shim' : isIntV05(bytes, at, end) ? 'int-v0.5' : 'int-v1';

/**
 * Padding of our hosts, whose DSCP is that of INT: what has one of their headers behind it, and is no INT, or has none
 * behind it as INT.
 */
function isOwnPadding({ bytes, end, settings, notes }: Reading, at: number): boolean {
  const { destinationPort } = notes;
  const isRoce = destinationPort === settings.rocePort;
  if (notes.transport !== 'udp' || (!isRoce && destinationPort !== settings.transportPort))
    return false;
  const parse = isRoce ? parseBth : parseHpccTransport;
  const hasOwnHeader = (behind: number): boolean =>
    !(parse(bytes, behind, end) instanceof WireFault);
  const padding = parseHpccPadding(bytes, at, end);
  if (padding instanceof WireFault || !hasOwnHeader(at + hpccPaddingLength(padding))) return false;
  const int = parseIntHead(bytes, at, end);
  return int instanceof WireFault || !hasOwnHeader(intEndOf(int, at));
}

/** End of INT as its shim, or its header of v0.5, says it. */
const intEndOf = (int: IntHead, at: number): number =>
  int.kind === 'int-v0.5'
    ? at + 4 * int.header.words
    : at + 4 * int.shim.words + (int.kind === 'int-v1' ? 0 : INT_SHIM_LENGTH);

/** Kind of what a UDP port is for, behind all telemetry. */
export function kindOfPort(reading: Reading, at: number): string | undefined {
  const { bytes, end, settings, notes } = reading;
  if (notes.transport !== 'udp' || at >= end) return undefined;
  switch (notes.destinationPort) {
    case settings.rocePort:
      return 'bth';
    case settings.ccmPort:
      return 'ccm-notification';
    case settings.reportPort: {
      const older = olderReportVersion(bytes, at, end);
      return older === undefined ? 'report' : older === '0.5' ? 'report-v0.5' : 'report-v1';
    }
    case settings.transportPort:
      return 'hpcc';
    case PATH_SHIM_PORT:
      return 'path-shim';
    default:
      return undefined;
  }
}
