import { LINK_ETHERNET } from '../../wire/capture/link-type';
import { WireFault } from '../../wire/fault';
import { hpccPaddingLength, parseHpccPadding } from '../../wire/hpcc/hpcc-padding';
import { parseHpccTransport, parseTrimmedData } from '../../wire/hpcc/hpcc-transport';
import { INT_SHIM_LENGTH, originalDscpAt } from '../../wire/int/int-shim';
import { TRIMMED_DSCP } from '../../wire/ip/trimming';
import { parseBth } from '../../wire/roce/bth';
import { decodeIfa } from './decode-ifa';
import { decodeInt } from './decode-int';
import { decodeIoam } from './decode-ioam';
import { decodeMessages } from './decode-messages';
import { decodePadding, paddingTelemetry } from './decode-padding';
import { decodeRoce, isRoceAt } from './decode-roce';
import type { DecodeSettings } from './decode-settings';
import type { InnerFrame } from './inner-frame';
import { decodeTags } from './decode-tags';
import { decodeTransport, isTransportAt } from './decode-transport';
import { decodeTunnels } from './decode-tunnels';
import { flowOf, parseLayers, parseTransport } from './frame-layers';
import type { FramePlace } from './link-layer';
import type { IpLayer, TransportLayer } from './frame-layers';
import type { DecodeFormat, Telemetry } from './telemetry';

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
export const decodeFrame = (
  bytes: Uint8Array,
  originalLength: number,
  settings: DecodeSettings,
  wanted: DecodeFormat | 'auto',
): DecodedFrame | WireFault =>
  decodeFrameAt(
    { bytes, at: 0, wireEnd: originalLength, linkType: LINK_ETHERNET },
    settings,
    wanted,
  );

/** As {@link decodeFrame}, for frames of any link and inside of others. Offsets are those in `bytes`. */
export function decodeFrameAt(
  place: FramePlace,
  settings: DecodeSettings,
  wanted: DecodeFormat | 'auto',
): DecodedFrame | WireFault {
  const { bytes } = place;
  const layers = parseLayers(place, settings);
  if (layers instanceof WireFault) return layers;
  const { ip } = layers;
  const tags = decodeTags(bytes, layers, settings);
  if (ip === undefined) return { ip, transport: undefined, telemetry: only(tags, wanted) };
  const options = decodeIoam(bytes, ip, settings);
  const transport = parseTransport(bytes, ip);
  if (transport instanceof WireFault) return transport;
  const tunnels = decodeTunnels(bytes, { ip, transport }, settings, openInner);
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

/** Telemetry of a packet inside of another, with what it is inside of; a fault where that is no packet. */
function openInner({ place, details }: InnerFrame, settings: DecodeSettings): readonly Telemetry[] {
  const decoded = decodeFrameAt(place, settings, 'auto');
  if (decoded instanceof WireFault) return [{ format: 'int', fault: decoded }];
  const innerFlow = flowOf(decoded);
  return decoded.telemetry.map((found) =>
    'fault' in found ? found : { ...found, details: { ...details, innerFlow, ...found.details } },
  );
}

/** Telemetry in front of the payload, and where the payload begins. */
interface Carried {
  readonly telemetry: readonly Telemetry[];
  readonly payloadOffset: number;
  /** UDP port that the packet had before INT. */
  readonly destinationPort: number;
}

function decodePayload(
  bytes: Uint8Array,
  { ip, transport }: { readonly ip: IpLayer; readonly transport: TransportLayer },
  settings: DecodeSettings,
  wanted: DecodeFormat | 'auto',
): readonly Telemetry[] {
  if (settings.padding !== 'none' && transport.destinationPort === settings.rocePort) {
    return decodePadding(bytes, transport, settings);
  }
  const seen = isTrimmed(bytes, ip, transport, settings)
    ? { ...transport, isTrimmed: true }
    : transport;
  const carried = decodeCarried(bytes, { ip, transport: seen }, settings);
  const behind = decodeBehind(bytes, { ...carried, transport: seen }, settings, wanted);
  return behind.length === 0 ? carried.telemetry : [...carried.telemetry, ...behind];
}

/** True if the packet's DSCP, or the one that INT has taken the place of, is that of packets which were cut. */
const isTrimmed = (
  bytes: Uint8Array,
  { dscp }: IpLayer,
  { payloadOffset, end }: TransportLayer,
  { intDscp }: DecodeSettings,
): boolean =>
  dscp === TRIMMED_DSCP ||
  (dscp === intDscp &&
    end >= payloadOffset + INT_SHIM_LENGTH &&
    originalDscpAt(bytes, payloadOffset) === TRIMMED_DSCP);

function decodeCarried(
  bytes: Uint8Array,
  { ip, transport }: { readonly ip: IpLayer; readonly transport: TransportLayer },
  settings: DecodeSettings,
): Carried {
  const ifa = decodeIfa(bytes, ip, transport, settings);
  if (ifa !== undefined) return { ...ifa, destinationPort: transport.destinationPort };
  const int = decodeInt(bytes, ip, transport, settings);
  if (int.telemetry.length === 0) return int;
  const isInt =
    !int.telemetry.some((found) => 'fault' in found) &&
    mayBeOwnHeader(bytes, transport, settings, int.payloadOffset);
  return (isInt ? undefined : decodeOwnPadding(bytes, transport, settings)) ?? int;
}

/** True if bytes at an offset can be read as a header of the transport or a BTH. */
const mayBeOwnHeader = (
  bytes: Uint8Array,
  { destinationPort, end, isTrimmed: isCut = false }: TransportLayer,
  { rocePort }: DecodeSettings,
  at: number,
): boolean => {
  const ours = isCut ? parseTrimmedData : parseHpccTransport;
  const parse = destinationPort === rocePort ? parseBth : ours;
  return !(parse(bytes, at, end) instanceof WireFault);
};

/** True if a header of the transport or a BTH stands at an offset. */
const hasOwnHeader = (
  bytes: Uint8Array,
  { destinationPort, end, wireEnd, isTrimmed: isCut }: TransportLayer,
  { rocePort }: DecodeSettings,
  at: number,
): boolean => {
  const place = { at, end, wireEnd, isTrimmed: isCut };
  return destinationPort === rocePort ? isRoceAt(bytes, place) : isTransportAt(bytes, place);
};

/**
 * Padding of our hosts, whose DSCP is that of INT: what has a header of the transport or a BTH behind it, and is no
 * INT, or has none behind it as INT.
 */
function decodeOwnPadding(
  bytes: Uint8Array,
  transport: TransportLayer,
  settings: DecodeSettings,
): Carried | undefined {
  const { protocol, destinationPort, payloadOffset, end } = transport;
  const isOurs = [settings.rocePort, settings.transportPort].includes(destinationPort);
  if (protocol !== 'udp' || !isOurs) return undefined;
  const padding = parseHpccPadding(bytes, payloadOffset, end);
  if (padding instanceof WireFault) return undefined;
  const behind = payloadOffset + hpccPaddingLength(padding);
  if (!hasOwnHeader(bytes, transport, settings, behind)) return undefined;
  return {
    telemetry: [paddingTelemetry(padding, 'published')],
    payloadOffset: behind,
    destinationPort,
  };
}

function decodeBehind(
  bytes: Uint8Array,
  {
    transport,
    payloadOffset: at,
    destinationPort,
  }: Carried & { readonly transport: TransportLayer },
  settings: DecodeSettings,
  wanted: DecodeFormat | 'auto',
): readonly Telemetry[] {
  if (transport.protocol !== 'udp' || at >= transport.end) return NOTHING;
  if (destinationPort === settings.rocePort) {
    const { end, isTrimmed: isCut } = transport;
    return decodeRoce(bytes, { at, end, isTrimmed: isCut }, settings, wanted);
  }
  const messages = decodeMessages(bytes, transport, settings, openInner);
  if (messages.length > 0) return messages;
  return decodeTransport(bytes, { ...transport, at, destinationPort }, settings, wanted);
}

const NOTHING: readonly Telemetry[] = [];

const only = (all: readonly Telemetry[], wanted: DecodeFormat | 'auto'): readonly Telemetry[] =>
  wanted === 'auto' ? all : all.filter(({ format }) => format === wanted);
