import { parseCcmNotification } from '../../wire/coordination/ccm-notification';
import { LINK_ETHERNET, LINK_IPV4, LINK_IPV6, LINK_RAW } from '../../wire/capture/link-type';
import { WireFault } from '../../wire/fault';
import { olderReportVersion, parseOlderReport } from '../../wire/int/older-report';
import type { OlderReport } from '../../wire/int/older-report';
import { parseTelemetryReport } from '../../wire/int/telemetry-report';
import type { ReportedInt, TelemetryReport } from '../../wire/int/telemetry-report';
import { word64Hex } from '../../wire/bytes';
import { bytesHex } from '../fields';
import { olderReportHop, reportHops } from '../int-hops';
import type { DecodeSettings } from './decode-settings';
import type { InnerFrame, OpenInner } from './inner-frame';
import type { FramePlace } from './link-layer';
import type { Telemetry } from './telemetry';
import type { TransportLayer } from './frame-layers';

/**
 * Messages that are a whole UDP datagram: telemetry reports and congestion notifications. The telemetry
 * in packets that reports hold follows that of the report.
 */
export function decodeMessages(
  bytes: Uint8Array,
  transport: TransportLayer,
  settings: DecodeSettings,
  open: OpenInner,
): Telemetry[] {
  const { protocol, destinationPort, payloadOffset, end } = transport;
  if (protocol !== 'udp') return [];
  if (destinationPort === settings.ccmPort) return [notification(bytes, payloadOffset, end)];
  if (destinationPort !== settings.reportPort) return [];
  const { telemetry, inner } = decodeReport(bytes, payloadOffset, end, settings);
  return [telemetry, ...inner.flatMap((each) => open(each, settings))];
}

/** A report as telemetry, and the packets that it holds. */
export interface DecodedReport {
  readonly telemetry: Telemetry;
  readonly inner: readonly InnerFrame[];
}

/** Reads the payload of a datagram as a telemetry report of any version. */
export function decodeReport(
  bytes: Uint8Array,
  offset: number,
  end: number,
  settings: DecodeSettings,
): DecodedReport {
  const older = olderReportVersion(bytes, offset, end);
  if (older !== undefined) {
    const parsed = parseOlderReport(bytes, offset, end, older);
    return parsed instanceof WireFault ? faulty(parsed) : olderReport(bytes, end, parsed, settings);
  }
  const group = parseTelemetryReport(bytes, offset, end);
  if (group instanceof WireFault) return faulty(group);
  const telemetry = groupTelemetry(group, settings);
  const inner = group.reports.flatMap(({ innerType, inner: packet }, i) => {
    const linkType = INNER_LINKS.get(innerType);
    if (linkType === undefined || packet.length === 0) return [];
    const at = packet.byteOffset - bytes.byteOffset;
    return [
      { place: innerPlace(bytes, at, at + packet.length, linkType), details: { report: i + 1 } },
    ];
  });
  return { telemetry, inner };
}

const faulty = (fault: WireFault): DecodedReport => ({
  telemetry: { format: 'report', fault },
  inner: [],
});

/** By type of the inner contents of reports. */
const INNER_LINKS: ReadonlyMap<number, number> = new Map([
  [3, LINK_ETHERNET],
  [4, LINK_IPV4],
  [5, LINK_IPV6],
]);

const innerPlace = (bytes: Uint8Array, at: number, end: number, linkType: number): FramePlace => ({
  bytes: bytes.subarray(0, end),
  at,
  wireEnd: Infinity,
  linkType,
});

function olderReport(
  bytes: Uint8Array,
  end: number,
  { block, inner, ...fields }: OlderReport,
  settings: DecodeSettings,
): DecodedReport {
  const { queueAndDrop, ...details } = fields;
  // Without metadata of the switch there is its time of ingress only.
  const { low } = block.ingressTimestamp ?? { low: 0 };
  const reportedAtNs = low * settings.units.timestampUnit;
  const linkType = inner.protocol === 'ethernet' ? LINK_ETHERNET : LINK_RAW;
  const innerLengthBytes = end - inner.at;
  return {
    telemetry: {
      format: 'report',
      details: {
        ...details,
        ...queueAndDrop,
        reportedAtNs,
        innerType: inner.protocol,
        innerLengthBytes,
      },
      hops: block.nodeId === undefined ? [] : [olderReportHop(block, settings.units)],
    },
    inner: [{ place: innerPlace(bytes, inner.at, end, linkType), details: { report: 1 } }],
  };
}

function groupTelemetry(group: TelemetryReport, settings: DecodeSettings): Telemetry {
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
