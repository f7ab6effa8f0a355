import { WireFault } from '../../wire/fault';
import type { DecodeSettings } from './decode-settings';
import type { DecodeFormat, Telemetry } from './telemetry';
import { decodeIfa } from './decode-ifa';
import { decodeInt } from './decode-int';
import { decodeIoam } from './decode-ioam';
import { decodeMessages } from './decode-messages';
import { decodeRoce, isRoceTelemetry } from './decode-roce';
import { decodeTunnels } from './decode-tunnels';
import { parseLayers, parseTransport } from './frame-layers';
import type { FrameLayers, FrameTag, IpLayer, TransportLayer } from './frame-layers';
import { CCM_TAG_LENGTH, parseCcmTag } from '../../wire/coordination/ccm-tag';
import { CSIG_WIDE, parseCsig } from '../../wire/csig/csig';
import { parseHpccPadding } from '../../wire/hpcc/hpcc-padding';
import { NS3_INT_SLOTS, parseNs3Int } from '../../wire/hpcc/ns3-int-header';
import { ns3Hops, paddingHops } from '../compact-hops';

/** A frame's telemetry, and between whom it went. */
export interface DecodedFrame {
  readonly ip: IpLayer | undefined;
  readonly transport: TransportLayer | undefined;
  /** Outermost first; empty for frames without telemetry. */
  readonly telemetry: readonly Telemetry[];
}

/**
 * Finds and reads all telemetry of an Ethernet frame. A fault says that link, network or transport
 * headers are damaged; faults of telemetry are in the list.
 *
 * @param originalLength bytes of the frame on the wire, of which `bytes` may hold fewer.
 * @param wanted only this family; data packets of RoCE are shown only if it is named.
 */
export function decodeFrame(
  bytes: Uint8Array,
  originalLength: number,
  settings: DecodeSettings,
  wanted: DecodeFormat | 'auto',
): DecodedFrame | WireFault {
  const layers = parseLayers(bytes, originalLength, settings);
  if (layers instanceof WireFault) return layers;
  const { ip } = layers;
  const tags = decodeTags(bytes, layers, settings);
  if (ip === undefined) return { ip, transport: undefined, telemetry: only(tags, wanted) };
  const options = decodeIoam(bytes, ip, settings);
  const transport = parseTransport(bytes, ip);
  if (transport instanceof WireFault) return transport;
  const tunnels = decodeTunnels(bytes, ip, transport, settings);
  const inside =
    transport === undefined || tunnels.length > 0
      ? tunnels
      : decodePayload(bytes, { ip, transport }, settings, wanted);
  const isInside = tags.length + options.length === 0;
  return {
    ip,
    transport,
    telemetry: only(isInside ? inside : [...tags, ...options, ...inside], wanted),
  };
}

function decodePayload(
  bytes: Uint8Array,
  { ip, transport }: { readonly ip: IpLayer; readonly transport: TransportLayer },
  settings: DecodeSettings,
  wanted: DecodeFormat | 'auto',
): readonly Telemetry[] {
  if (settings.padding !== 'none') return decodePadding(bytes, transport, settings);
  const ifa = decodeIfa(bytes, ip, transport, settings);
  if (ifa.length > 0) return ifa;
  const int = decodeInt(bytes, ip, transport, settings);
  const isRoce = transport.protocol === 'udp' && int.destinationPort === settings.rocePort;
  const roce = isRoce ? decodeRoceAt(bytes, int.payloadOffset, transport.end, wanted) : [];
  const messages = decodeMessages(bytes, transport, settings);
  if (roce.length + messages.length === 0) return int.telemetry;
  return [...int.telemetry, ...roce, ...messages];
}

const decodeRoceAt = (
  bytes: Uint8Array,
  offset: number,
  end: number,
  wanted: DecodeFormat | 'auto',
): Telemetry[] =>
  wanted === 'roce' || isRoceTelemetry(bytes, offset, end) ? [decodeRoce(bytes, offset, end)] : [];

const only = (all: readonly Telemetry[], wanted: DecodeFormat | 'auto'): readonly Telemetry[] =>
  wanted === 'auto' ? all : all.filter(({ format }) => format === wanted);

/** CSIG and CCM tags in front of the EtherType. They speak of one link at most, and have no hops. */
const decodeTags = (
  bytes: Uint8Array,
  { tags }: FrameLayers,
  settings: DecodeSettings,
): Telemetry[] => tags.map(({ kind, offset }) => TAG_DECODERS[kind](bytes, offset, settings));

type TagDecoder = (bytes: Uint8Array, offset: number, settings: DecodeSettings) => Telemetry;

const TAG_DECODERS: Readonly<Record<FrameTag, TagDecoder>> = {
  csig: (bytes, offset, settings) => csig(bytes, offset, settings),
  'csig-wide': (bytes, offset) => csigWide(bytes, offset),
  ccm: (bytes, offset) => ccm(bytes, offset),
};

const CSIG_TYPES = ['min-bandwidth', 'min-bandwidth-fraction', 'max-delay', 'max-queue'];

function csig(bytes: Uint8Array, offset: number, { csigDialect }: DecodeSettings): Telemetry {
  const tag = parseCsig(bytes, offset, bytes.length, csigDialect);
  if (tag instanceof WireFault) return { format: 'csig', fault: tag };
  const { type, signal, locator, doNotUpdate } = tag;
  const details = { signalType: CSIG_TYPES[type] ?? `type-${type}`, signalBucket: signal, locator };
  const tpid = tpidText(tag.tpid);
  const flag = csigDialect === 'uec' ? { doNotUpdate, tpid } : { tpid };
  return { format: 'csig', details: { ...details, ...flag }, hops: [] };
}

const tpidText = (tpid: number): string => `0x${tpid.toString(16).padStart(4, '0')}`;

/** The signal is (value - base) / step, of which only the domain knows base and step. */
function csigWide(bytes: Uint8Array, offset: number): Telemetry {
  const tag = CSIG_WIDE.parse(bytes, offset);
  if (tag instanceof WireFault) return { format: 'csig', fault: tag };
  const { type, signal, locator, doNotUpdate } = tag;
  const details = { kind: 'wide', signalType: CSIG_TYPES[type] ?? `type-${type}`, signal };
  const rest = { locator, doNotUpdate, tpid: tpidText(tag.tpid) };
  return { format: 'csig', details: { ...details, ...rest }, hops: [] };
}

function ccm(bytes: Uint8Array, offset: number): Telemetry {
  const tag = parseCcmTag(bytes, offset, Math.min(bytes.length, offset + CCM_TAG_LENGTH));
  if (tag instanceof WireFault) return { format: 'ccm', fault: tag };
  return { format: 'ccm', details: { kind: 'tag', ...tag }, hops: [] };
}

/** Sequence and priority group, which the simulator has between UDP and its telemetry. */
const NS3_SEQUENCE_LENGTH = 6;

/** HPCC's padding after the UDP header of RoCEv2, in the form that the settings name. */
function decodePadding(
  bytes: Uint8Array,
  { protocol, destinationPort, payloadOffset, end }: TransportLayer,
  { padding, rocePort }: DecodeSettings,
): Telemetry[] {
  if (padding === 'none' || protocol !== 'udp' || destinationPort !== rocePort) return [];
  if (padding === 'ns3') return [ns3(bytes, payloadOffset + NS3_SEQUENCE_LENGTH, end)];
  const found = parseHpccPadding(bytes, payloadOffset, end, padding === 'aligned');
  if (found instanceof WireFault) return [{ format: 'padding', fault: found }];
  const details = { kind: padding, pathId: `0x${found.pathId.toString(16).padStart(3, '0')}` };
  return [{ format: 'padding', details, hops: paddingHops(found) }];
}

function ns3(bytes: Uint8Array, offset: number, end: number): Telemetry {
  const header = parseNs3Int(bytes, offset, end);
  if (header instanceof WireFault) return { format: 'padding', fault: header };
  if (header.hopCount > NS3_INT_SLOTS) {
    const reason = `nhop must be at most 5, found ${header.hopCount}`;
    return { format: 'padding', fault: new WireFault('ns3-int', offset + 40, reason) };
  }
  const details = { kind: 'ns3', hopCount: header.hopCount };
  return { format: 'padding', details, hops: ns3Hops(header) };
}
