import { WireFault } from '../../wire/fault';
import type { DecodeFormat, Telemetry } from './telemetry';
import { decodeIfa } from './decode-ifa';
import { decodeInt } from './decode-int';
import { decodeIoam } from './decode-ioam';
import { decodeMessages } from './decode-messages';
import { decodePadding } from './decode-padding';
import { decodeRoce, isRoceTelemetry } from './decode-roce';
import type { DecodeSettings } from './decode-settings';
import { decodeTags } from './decode-tags';
import { parseLayers } from './frame-layers';
import type { IpLayer } from './frame-layers';
import { parseTransport } from './transport-layer';
import type { TransportLayer } from './transport-layer';

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
  const inside =
    transport === undefined ? [] : decodePayload(bytes, { ip, transport }, settings, wanted);
  return { ip, transport, telemetry: only([...tags, ...options, ...inside], wanted) };
}

function decodePayload(
  bytes: Uint8Array,
  { ip, transport }: { readonly ip: IpLayer; readonly transport: TransportLayer },
  settings: DecodeSettings,
  wanted: DecodeFormat | 'auto',
): Telemetry[] {
  if (settings.padding !== 'none') return decodePadding(bytes, transport, settings);
  const ifa = decodeIfa(bytes, ip, transport, settings);
  if (ifa.length > 0) return ifa;
  const int = decodeInt(bytes, ip, transport, settings);
  const isRoce = transport.protocol === 'udp' && int.destinationPort === settings.rocePort;
  const roce = isRoce ? decodeRoceAt(bytes, int.payloadOffset, transport.end, wanted) : [];
  return [...int.telemetry, ...roce, ...decodeMessages(bytes, transport, settings)];
}

const decodeRoceAt = (
  bytes: Uint8Array,
  offset: number,
  end: number,
  wanted: DecodeFormat | 'auto',
): Telemetry[] =>
  wanted === 'roce' || isRoceTelemetry(bytes, offset, end) ? [decodeRoce(bytes, offset, end)] : [];

const only = (all: readonly Telemetry[], wanted: DecodeFormat | 'auto'): Telemetry[] =>
  all.filter(({ format }) => wanted === 'auto' || format === wanted);
