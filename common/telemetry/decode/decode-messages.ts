import { parseCcmNotification } from '../../wire/coordination/ccm-notification';
import { WireFault } from '../../wire/fault';
import { parseTelemetryReport } from '../../wire/int/telemetry-report';
import type { ReportedInt } from '../../wire/int/telemetry-report';
import { word64Hex } from '../../wire/bytes';
import { bytesHex } from '../fields';
import { reportHops } from '../int-hops';
import type { DecodeSettings } from './decode-settings';
import type { Telemetry } from './telemetry';
import type { TransportLayer } from './frame-layers';

/** Messages that are a whole UDP datagram: telemetry reports and congestion notifications. */
export function decodeMessages(
  bytes: Uint8Array,
  transport: TransportLayer,
  settings: DecodeSettings,
): Telemetry[] {
  const { protocol, destinationPort, payloadOffset, end } = transport;
  if (protocol !== 'udp') return [];
  if (destinationPort === settings.reportPort) return [report(bytes, payloadOffset, end, settings)];
  return destinationPort === settings.ccmPort ? [notification(bytes, payloadOffset, end)] : [];
}

function report(
  bytes: Uint8Array,
  offset: number,
  end: number,
  settings: DecodeSettings,
): Telemetry {
  const group = parseTelemetryReport(bytes, offset, end);
  if (group instanceof WireFault) return { format: 'report', fault: group };
  const { hardwareId, sequence, nodeId } = group;
  const reports = group.reports.map(({ int, inner, ...flags }) => ({
    ...flags,
    ...(int === undefined ? {} : reportedInt(int)),
    innerLengthBytes: inner.length,
  }));
  const details = { hardwareId, sequence, nodeId, reports };
  return { format: 'report', details, hops: reportHops(group, settings.units) };
}

/**
 * Fields of a telemetry report that describe its metadata; the metadata itself is decoded as a hop.
 */
function reportedInt({
  metadataBits,
  domainId,
  dsBits,
  dsStatus,
  queueAndDrop,
}: ReportedInt): object {
  const hex = (value: number): string => `0x${value.toString(16).padStart(4, '0')}`;
  return {
    ...queueAndDrop,
    metadataBits: hex(metadataBits),
    domainId: hex(domainId),
    dsInstruction: hex(dsBits),
    dsStatus: hex(dsStatus),
  };
}

function notification(bytes: Uint8Array, offset: number, end: number): Telemetry {
  const message = parseCcmNotification(bytes, offset, end);
  if (message instanceof WireFault) return { format: 'ccm', fault: message };
  const { sequence, source, destination, mac, time, ...fields } = message;
  const details = {
    ...fields,
    kind: 'notification',
    sequence: `0x${word64Hex(sequence)}`,
    timeNs: time,
    flowSource: bytesHex(source),
    flowDestination: bytesHex(destination),
    isAuthenticated: mac.length > 0,
    mac: bytesHex(mac),
  };
  return { format: 'ccm', details, hops: [] };
}
