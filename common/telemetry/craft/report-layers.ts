import type { DocumentPath } from '../../document/schema-faults';
import { baselineWords } from '../../wire/int/int-metadata';
import { emitOlderReport, olderReportLength, parseOlderReport } from '../../wire/int/older-report';
import type { OlderReport } from '../../wire/int/older-report';
import {
  emitTelemetryReport,
  parseTelemetryReport,
  telemetryReportLength,
} from '../../wire/int/telemetry-report';
import type { IndividualReport, TelemetryReport } from '../../wire/int/telemetry-report';
import { HOP_SHAPE, bitmapOf, blockOf, hopOf, wordsPerHop } from './int-hop';
import { codecKind } from './layer';
import type { AnyLayer, Fields, Inside, LayerKind } from './layer';
import { nextKind } from './next-kind';
import {
  bytes as bytesField,
  bytesText,
  flag,
  hexBytes,
  listOf,
  oneOf,
  section,
  uint,
} from './values';
import type { Field } from './values';

/** Writes and reads the packets inside of reports. */
export interface Nest {
  readonly check: (layers: readonly unknown[], path: DocumentPath) => readonly AnyLayer[];
  readonly craft: (layers: readonly AnyLayer[]) => Uint8Array;
  readonly dissect: (bytes: Uint8Array, first: string) => readonly AnyLayer[];
}

/** Types of inner contents. */
const INNER_TYPES: readonly (readonly [number, string])[] = [
  [3, 'ethernet'],
  [4, 'ipv4'],
  [5, 'ipv6'],
];
const REPORT_INT = 1;
const DROP_BIT = 0x0001;

const DROP = { dropQueueId: uint(8), dropReason: uint(8) } as const;

function reportShape(layers: Field<readonly AnyLayer[]>) {
  return section({
    type: uint(4),
    innerType: uint(4),
    isOpenEnded: flag,
    dropped: flag,
    congestedQueue: flag,
    trackedFlow: flag,
    intermediate: flag,
    int: section({
      metadataBits: uint(16),
      domainId: uint(16),
      dsBits: uint(16),
      dsStatus: uint(16),
      metadataWords: uint(8),
      ...HOP_SHAPE,
      ...DROP,
    }),
    inner: bytesField(),
    layers,
  });
}

const NO_REPORT_FLAGS = {
  isOpenEnded: false,
  dropped: false,
  congestedQueue: false,
  trackedFlow: false,
  intermediate: false,
};

function individualOf(report: Fields, nest: Nest): IndividualReport {
  const {
    int,
    inner = '',
    layers,
    ...rest
  } = report as {
    int?: Fields;
    inner?: string;
    layers?: readonly AnyLayer[];
  };
  const first = layers?.[0]?.kind;
  const innerType = INNER_TYPES.find(([, kind]) => kind === first)?.[0] ?? 0;
  const packet = layers === undefined ? hexBytes(inner) : nest.craft(layers);
  return {
    type: int === undefined ? 0 : REPORT_INT,
    innerType,
    ...NO_REPORT_FLAGS,
    // Reports are whole words, or reach to the end of the datagram.
    ...(packet.length % 4 === 0 ? {} : { isOpenEnded: true }),
    ...rest,
    ...(int === undefined ? {} : { int: reportedOf(int) }),
    inner: packet,
  };
}

function reportedOf({ dropQueueId, dropReason, ...fields }: Fields) {
  const {
    metadataBits,
    metadataWords,
    domainId = 0,
    dsBits = 0,
    dsStatus = 0,
    ...metadata
  } = fields;
  const hasDrop = dropQueueId !== undefined || dropReason !== undefined;
  const bits = (metadataBits ?? bitmapOf([metadata]) | (hasDrop ? DROP_BIT : 0)) as number;
  const words = (metadataWords ?? wordsPerHop(bits, [metadata])) as number;
  return {
    metadataBits: bits,
    domainId: domainId as number,
    dsBits: dsBits as number,
    dsStatus: dsStatus as number,
    metadataWords: Math.max(words, baselineWords(bits)),
    block: blockOf(metadata),
    ...((bits & DROP_BIT) !== 0
      ? {
          queueAndDrop: {
            queueId: (dropQueueId ?? 0) as number,
            dropReason: (dropReason ?? 0) as number,
          },
        }
      : {}),
  };
}

function documentOf(report: IndividualReport, nest: Nest): Fields {
  const { int, inner, ...rest } = report;
  const known = int === undefined ? {} : { int: metadataOf(int) };
  return { ...rest, ...known, ...innerOf(rest.innerType, inner, nest) };
}

function metadataOf({
  block,
  queueAndDrop,
  ...rest
}: NonNullable<IndividualReport['int']>): Fields {
  const drop =
    queueAndDrop === undefined
      ? {}
      : { dropQueueId: queueAndDrop.queueId, dropReason: queueAndDrop.dropReason };
  return { ...rest, ...hopOf(block), ...drop };
}

/** Layers where the bytes are a packet of the kind that the type says, and nothing else. */
function innerOf(innerType: number, inner: Uint8Array, nest: Nest): Fields {
  const first = INNER_TYPES.find(([number]) => number === innerType)?.[1];
  if (first === undefined || inner.length === 0) return { inner: bytesText(inner) };
  const layers = nest.dissect(inner, first);
  return layers[0]?.kind === first ? { layers } : { inner: bytesText(inner) };
}

/** Reports of version 2.0, whose packets are written and read by `nest`. */
export function reportKinds(nest: Nest): readonly LayerKind[] {
  const layers: Field<readonly AnyLayer[]> = {
    form: { type: 'layers' },
    wanted: 'a list of layers',
    read: (value, path) => nest.check(Array.isArray(value) ? value : [value], path),
  };
  const groupOf = ({ reports, ...rest }: Fields): TelemetryReport =>
    ({
      ...rest,
      reports: (reports as readonly Fields[]).map((report) => individualOf(report, nest)),
    }) as unknown as TelemetryReport;
  const report = codecKind(
    'report',
    {
      parse: (bytes, offset = 0, end = bytes.length) => parseTelemetryReport(bytes, offset, end),
      emit: (header, bytes, offset = 0) =>
        emitTelemetryReport(header as TelemetryReport, bytes, offset),
      length: (header) => telemetryReportLength(header as TelemetryReport),
    },
    {
      hardwareId: uint(6),
      sequence: uint(22),
      nodeId: uint(32),
      reports: listOf(reportShape(layers)),
    },
    {
      text: 'Telemetry Report 2.0; each of its reports has flags, metadata (int), and inner bytes or layers',
      defaults: { reports: [] },
      toHeader: groupOf,
      toFields: (header) => {
        const { reports, ...rest } = header as TelemetryReport;
        return { ...rest, reports: reports.map((each) => documentOf(each, nest)) };
      },
    },
  );
  return [report, ...OLDER];
}

const FLAGS = {
  hardwareId: uint(6),
  sequence: uint(32),
  dropped: flag,
  congestedQueue: flag,
  trackedFlow: flag,
} as const;
const OLD_METADATA = {
  nodeId: uint(32),
  ingressTimestamp: uint(32),
  ingressInterface: uint(16),
  egressInterface: uint(16),
  hopLatency: uint(32),
  queueId: uint(8),
  queueOccupancy: uint(24),
  egressTimestamp: uint(32),
  txUtilization: uint(32),
  ...DROP,
} as const;

const PROTOCOLS = ['ethernet', 'ipv4', 'ipv6'] as const;

function olderOf(version: OlderReport['version'], fields: Fields): OlderReport {
  const {
    hardwareId,
    sequence,
    dropped,
    congestedQueue,
    trackedFlow,
    dropQueueId,
    dropReason,
    protocol,
    ...block
  } = fields;
  const hasDrop = dropQueueId !== undefined || dropReason !== undefined;
  return {
    version,
    hardwareId,
    sequence,
    dropped,
    congestedQueue,
    trackedFlow,
    block: blockOf(block),
    ...(hasDrop
      ? { queueAndDrop: { queueId: dropQueueId ?? 0, dropReason: dropReason ?? 0 } }
      : {}),
    inner: { protocol: protocol ?? 'ethernet', at: 0 },
  } as OlderReport;
}

const olderKind = (name: string, version: OlderReport['version']): LayerKind =>
  codecKind(
    name,
    {
      parse: (bytes, offset = 0, end = bytes.length) => {
        const report = parseOlderReport(bytes, offset, end, version);
        return report;
      },
      emit: (header, bytes, offset = 0) => emitOlderReport(header as OlderReport, bytes, offset),
      length: (header) => olderReportLength(header as OlderReport),
    },
    version === '0.5'
      ? { ...FLAGS, ...OLD_METADATA }
      : { ...FLAGS, ...OLD_METADATA, protocol: oneOf(PROTOCOLS) },
    {
      text: `Telemetry Report ${version}: which metadata are given decides what it says is there; the packet follows as layers`,
      optional: [
        ...Object.keys(OLD_METADATA).filter(
          (each) => each !== 'ingressTimestamp' && (version === '0.5' || each !== 'nodeId'),
        ),
      ],
      ...(version === '1.0' ? { derive: protocolBehind } : {}),
      toHeader: (fields) => olderOf(version, fields),
      toFields: (header) => {
        const { block, queueAndDrop, inner, ...rest } = header as OlderReport;
        const drop =
          queueAndDrop === undefined
            ? {}
            : { dropQueueId: queueAndDrop.queueId, dropReason: queueAndDrop.dropReason };
        return { ...rest, ...hopOf(block), ...drop, protocol: inner.protocol };
      },
      next: (fields) => (version === '0.5' ? 'ethernet' : (fields['protocol'] as string)),
    },
  );

function protocolBehind(_fields: Fields, inside: Inside): Fields {
  const next = nextKind(inside);
  return { protocol: PROTOCOLS.find((name) => name === next) ?? 'ethernet' };
}

const OLDER: readonly LayerKind[] = [
  olderKind('report-v1', '1.0'),
  olderKind('report-v0.5', '0.5'),
];
