import { BTH_TELEMETRY_REQUEST, BTH_TELEMETRY_RESPONSE } from '../../wire/roce/bth';
import { indicatorsOfDsFlags } from '../../wire/coordination/ccm-tag';
import { WireFault } from '../../wire/fault';
import { HPCC_ACK, HPCC_FLAG_ECHO, HPCC_TRANSPORT_LENGTH } from '../../wire/hpcc/hpcc-transport';
import { parseHpccTransport } from '../../wire/hpcc/hpcc-transport';
import { HP_DOMAIN } from '../../wire/int/int-md';
import { intPacketLength, parseIntPacket } from '../../wire/int/int-packet';
import type { IntPacket } from '../../wire/int/int-packet';
import { intHops } from '../int-hops';
import type { DecodeSettings } from './decode-settings';
import type { Telemetry } from './telemetry';
import { startsWith } from './frame-layers';
import type { IpLayer, TransportLayer } from './frame-layers';

/** INT bytes after the transport header, and where they end. */
export interface DecodedInt {
  readonly telemetry: readonly Telemetry[];
  /** Offset of what follows the INT bytes, or of the payload if there are none. */
  readonly payloadOffset: number;
  /** The UDP port that the packet had before INT. */
  readonly destinationPort: number;
}

/** INT by DSCP, port or probe marker, and INT that an HPCC acknowledgement echoes. */
export function decodeInt(
  bytes: Uint8Array,
  ip: IpLayer,
  transport: TransportLayer,
  settings: DecodeSettings,
): DecodedInt {
  const offset = intOffset(bytes, ip, transport, settings);
  const { destinationPort } = transport;
  if (offset === undefined) {
    const { payloadOffset } = transport;
    const telemetry = decodeEcho(bytes, payloadOffset, transport, settings);
    return { telemetry, payloadOffset, destinationPort };
  }
  const packet = parseIntPacket(bytes, offset, transport.end);
  if (packet instanceof WireFault) {
    const telemetry: Telemetry[] = [{ format: 'int', fault: packet }];
    return { telemetry, payloadOffset: transport.end, destinationPort };
  }
  const payloadOffset = offset + intPacketLength(packet);
  const own: Telemetry = {
    format: 'int',
    details: intDetails(packet),
    hops: intHops(packet, settings.units),
  };
  const echo = decodeEcho(bytes, payloadOffset, transport, settings);
  const { shim } = packet;
  const original = 'originalPort' in shim ? shim.originalPort : destinationPort;
  return { telemetry: [own, ...echo], payloadOffset, destinationPort: original };
}

function intOffset(
  bytes: Uint8Array,
  ip: IpLayer,
  { protocol, destinationPort, payloadOffset: at, end }: TransportLayer,
  { intDscp, intPort, intMarker, rocePort }: DecodeSettings,
): number | undefined {
  if (intMarker !== undefined && startsWith(bytes, { at, end }, intMarker)) return at + 8;
  if (protocol === 'udp' && destinationPort === rocePort && isTelemetryMessage(bytes, at, end)) {
    return undefined;
  }
  const byPort = protocol === 'udp' && destinationPort === intPort;
  // A marked segment without payload, such as an ACK of TCP, carries no INT.
  return (byPort || ip.dscp === intDscp) && end > at ? at : undefined;
}

/**
 * Our requests and responses over RoCEv2 have the DSCP of INT, so that they get its treatment, but a
 * response carries none; their opcodes are no types of INT.
 */
const isTelemetryMessage = (bytes: Uint8Array, at: number, end: number): boolean =>
  end > at && (bytes[at] === BTH_TELEMETRY_REQUEST || bytes[at] === BTH_TELEMETRY_RESPONSE);

function decodeEcho(
  bytes: Uint8Array,
  offset: number,
  { protocol, destinationPort, end }: TransportLayer,
  settings: DecodeSettings,
): Telemetry[] {
  if (protocol !== 'udp' || destinationPort !== settings.transportPort) return [];
  const header = parseHpccTransport(bytes.subarray(0, end), offset, end);
  if (header instanceof WireFault) return [];
  if (header.type !== HPCC_ACK || (header.flags & HPCC_FLAG_ECHO) === 0) return [];
  const packet = parseIntPacket(bytes, offset + HPCC_TRANSPORT_LENGTH, end);
  if (packet instanceof WireFault) return [{ format: 'int', fault: packet }];
  const { flowId, sequence } = header;
  const details = { ...intDetails(packet), echoOfFlow: flowId, acknowledgement: sequence };
  return [{ format: 'int', details, hops: intHops(packet, settings.units) }];
}

const hex = (value: number, digits: number): string =>
  `0x${value.toString(16).padStart(digits, '0')}`;

/** The coordination tag in the DS flags, where it says anything. */
function coordination({ domainId, dsFlags }: { domainId: number; dsFlags: number }) {
  const tag = indicatorsOfDsFlags(dsFlags);
  const isSet = tag.congestionControl || tag.reroutingPoint !== undefined;
  return domainId === HP_DOMAIN.domainId && isSet ? { coordination: tag } : {};
}

function intDetails(packet: IntPacket): Record<string, unknown> {
  const { kind, header, shim } = packet;
  const original = {
    ...('originalDscp' in shim ? { originalDscp: shim.originalDscp } : {}),
    ...('originalPort' in shim ? { originalPort: shim.originalPort } : {}),
    ...('originalProtocol' in shim ? { originalProtocol: shim.originalProtocol } : {}),
  };
  const common = { kind, ...original, instructionBitmap: hex(header.instructionBitmap, 4) };
  const domain =
    'domainId' in header
      ? {
          domainId: hex(header.domainId, 4),
          dsInstruction: hex(header.dsInstruction, 4),
          dsFlags: hex(header.dsFlags, 4),
          ...coordination(header),
        }
      : {};
  if (packet.kind === 'int-mx') return { ...common, ...domain, discard: header.discard };
  const { discard, hopLimitExceeded, mtuExceeded, remainingHops } = packet.header;
  return { ...common, ...domain, discard, hopLimitExceeded, mtuExceeded, remainingHops };
}
