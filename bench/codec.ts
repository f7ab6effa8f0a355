import type { Speed } from './measure';
import { measureSpeed } from './measure';
import { assert } from '../common/assert';
import type { HopRecord } from '../common/hop/hop';
import { emitCsig, parseCsig } from '../common/wire/csig/csig';
import { WireFault } from '../common/wire/fault';
import { emitHpccPadding, hpccPaddingLength } from '../common/wire/hpcc/hpcc-padding';
import { parseHpccPadding } from '../common/wire/hpcc/hpcc-padding';
import { emitIfaMetadata, ifaMetadataLength, parseIfaMetadata } from '../common/wire/ifa/ifa2';
import { HP_DOMAIN, INT_FIXED_LENGTH, emitHops, emitIntMdSource } from '../common/wire/int/int-md';
import { parseIntMd, readHops } from '../common/wire/int/int-md';
import { emitIntPacket, parseIntPacket } from '../common/wire/int/int-packet';
import { emitIoamTrace, ioamTraceLength, parseIoamTrace } from '../common/wire/ioam/ioam-trace';
import { NS3_INT_LENGTH, emitNs3Int, parseNs3Int } from '../common/wire/hpcc/ns3-int-header';
import { TELEMETRY_RESPONSE_LENGTH } from '../common/wire/roce/telemetry-messages';
import { emitTelemetryResponse } from '../common/wire/roce/telemetry-messages';
import { parseTelemetryResponse } from '../common/wire/roce/telemetry-messages';
import { emitTelemetryReport, parseTelemetryReport } from '../common/wire/int/telemetry-report';
import { telemetryReportLength } from '../common/wire/int/telemetry-report';

const PARSES = 200_000;

/** Parsing and writing of every telemetry format, with five hops where a format has hops. */
export function benchCodec(rounds: number): object {
  return Object.fromEntries(
    codecCases().map((codec) => [codec.name, benchCase(codec, rounds)] as const),
  );
}

/** The lengths are added up and compared, so that no call can be left out as useless. */
function benchCase({ bytes, parse, emit }: CodecCase, rounds: number): object {
  const parses = measureSpeed(rounds, PARSES, (count) => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += parse(bytes);
    if (sum !== count * parse(bytes)) throw new Error('a codec gave different results');
  });
  const out = new Uint8Array(bytes.length);
  const emits = measureSpeed(rounds, PARSES, (count) => {
    for (let i = 0; i < count; i++) emit(out);
  });
  return { bytes: bytes.length, ...figures('parses', parses), ...figures('emits', emits) };
}

const figures = (what: string, { perSecond, perCpuSecond }: Speed): object => ({
  [`${what}PerSecond`]: perSecond,
  [`${what}PerCpuSecond`]: perCpuSecond,
});

/** One format with its bytes, ready to be repeated. */
export interface CodecCase {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Gives a number that depends on what was read. */
  readonly parse: (bytes: Uint8Array) => number;
  readonly emit: (bytes: Uint8Array) => void;
}

const HOPS = 5;
const HP_LENGTH = INT_FIXED_LENGTH + HOPS * HP_DOMAIN.hopLength;
const five = <T>(of: (hop: number) => T): T[] => Array.from({ length: HOPS }, (_, hop) => of(hop));

const codecCases = (): CodecCase[] => [
  intMdRecords(),
  intMdBlocks(),
  hpccPadding(),
  ns3(),
  ioam(),
  ifa(),
  csig(),
  report(),
  response(),
];

/** The parsed header, for bytes that are known to be good. */
function good<T extends object>(parsed: T | WireFault): T {
  assert(!(parsed instanceof WireFault), 'bytes that we wrote can be read');
  return parsed;
}

function written(length: number, emit: (bytes: Uint8Array) => void): Uint8Array {
  const bytes = new Uint8Array(length);
  emit(bytes);
  return bytes;
}

const record = (hop: number): HopRecord => ({
  switchId: hop + 1,
  portId: 0x11,
  ingressPortId: 3,
  queueId: 3,
  queueBytes: 1200 * hop,
  timestamp: 0x9cfe362a0000 + hop,
  timestampModulus: 2 ** 48,
  txBytes: 0x1234567880 + hop,
  txBytesModulus: 2 ** 48,
  capacity: 100e9,
});

/** The sender's path: our domain, read into hop records. */
function intMdRecords(): CodecCase {
  const records = five(record);
  const emit = (bytes: Uint8Array): void => {
    emitIntMdSource({ remainingHops: 3, originalDscp: 0 }, bytes, 0);
    emitHops(records, bytes, 0);
  };
  const parse = (bytes: Uint8Array): number =>
    readHops(good(parseIntMd(bytes, 0)), bytes, 0).reduce((sum, hop) => sum + hop.queueBytes, 0);
  return { name: 'int-md', bytes: written(HP_LENGTH, emit), parse, emit };
}

/** The same bytes by the codec that takes any instructions. */
function intMdBlocks(): CodecCase {
  const { bytes } = intMdRecords();
  const packet = good(parseIntPacket(bytes, 0));
  return {
    name: 'int-md, any instructions',
    bytes,
    parse: (of) => {
      const read = good(parseIntPacket(of, 0));
      return read.kind === 'int-md' ? read.stack.blocks.length : 0;
    },
    emit: (into) => emitIntPacket(packet, into, 0),
  };
}

function hpccPadding(): CodecCase {
  const records = five((hop) => ({ speedCode: 2, timestamp: hop, txUnits: hop, queueUnits: 15 }));
  const value = { pathId: 0x365, records, aligned: false };
  const emit = (bytes: Uint8Array): void => emitHpccPadding(value, bytes, 0);
  const parse = (bytes: Uint8Array): number => good(parseHpccPadding(bytes, 0)).records.length;
  return { name: 'hpcc-padding', bytes: written(hpccPaddingLength(value), emit), parse, emit };
}

function ns3(): CodecCase {
  const slots = five((hop) => ({ rateCode: 2, time: hop, txUnits: hop, queueUnits: 15 }));
  const emit = (bytes: Uint8Array): void => emitNs3Int({ slots, hopCount: HOPS }, bytes, 0);
  const parse = (bytes: Uint8Array): number => good(parseNs3Int(bytes, 0)).hopCount;
  return { name: 'ns3-int', bytes: written(NS3_INT_LENGTH, emit), parse, emit };
}

/** A trace with the data of draft-miao-tsv-hpcc-info. */
function ioam(): CodecCase {
  const nodes = five((hop) => ({
    hopLimit: 64 - hop,
    nodeId: hop,
    ingressInterface: 3,
    egressInterface: 0x11,
    fraction: 500_001_200,
    queueDepth: 1200,
    undefinedWords: [0x34567880],
  }));
  const flags = { overflow: false, loopback: false, active: false, isIncremental: false };
  const value = { namespaceId: 123, ...flags, remainingWords: 0, traceType: 0xd20800, nodes };
  const bytes = written(ioamTraceLength(value), (into) => emitIoamTrace(value, into, 0));
  return {
    name: 'ioam-trace',
    bytes,
    parse: (of) => good(parseIoamTrace(of, 0, of.length)).nodes.length,
    emit: (into) => emitIoamTrace(value, into, 0),
  };
}

function ifa(): CodecCase {
  const records = five((hop) => ({
    localNamespace: 1,
    deviceId: hop,
    ttl: 63,
    speedCode: 4,
    congestion: 0,
    queueId: 3,
    rxSeconds: 258304,
    egressPort: 0x11,
    ingressPort: 3,
    rxNanoseconds: 500_000_000,
    residenceNs: 1200,
    opaque: [0x34567880, 15, 0] as const,
  }));
  const value = { request: 0xee, action: 0, hopLimit: 126, records };
  const emit = (bytes: Uint8Array): void => emitIfaMetadata(value, bytes, 0);
  const parse = (bytes: Uint8Array): number => good(parseIfaMetadata(bytes, 0)).records.length;
  return { name: 'ifa2', bytes: written(ifaMetadataLength(value), emit), parse, emit };
}

function csig(): CodecCase {
  const tag = { tpid: 0x9900, type: 1, signal: 23, locator: 5, doNotUpdate: false };
  const emit = (bytes: Uint8Array): void => emitCsig(tag, bytes, 0, 'ietf');
  const parse = (bytes: Uint8Array): number => good(parseCsig(bytes, 0, 4, 'ietf')).signal;
  return { name: 'csig', bytes: written(4, emit), parse, emit };
}

/** Five individual reports with the metadata of our domain, in one group. */
function report(): CodecCase {
  const queue = { queueId: 3, queueOccupancy: 1200 };
  const egressTimestamp = { high: 0x17979cfe, low: 0x362a0000 };
  const domain = [0x12, 0x34567880, 100_000];
  const block = { ingressInterface: 3, egressInterface: 0x11, ...queue, egressTimestamp, domain };
  const bits = { metadataBits: 0x5400, domainId: HP_DOMAIN.domainId, dsBits: 0xc000, dsStatus: 0 };
  const flags = { dropped: false, congestedQueue: false, trackedFlow: true, intermediate: false };
  const reports = five(() => ({
    type: 1,
    innerType: 4,
    isOpenEnded: false,
    ...flags,
    int: { ...bits, metadataWords: 7, block },
    inner: new Uint8Array(28),
  }));
  const value = { hardwareId: 1, sequence: 5, nodeId: 1, reports };
  const emit = (bytes: Uint8Array): void => emitTelemetryReport(value, bytes, 0);
  const parse = (bytes: Uint8Array): number => good(parseTelemetryReport(bytes, 0)).reports.length;
  return {
    name: 'telemetry-report',
    bytes: written(telemetryReportLength(value), emit),
    parse,
    emit,
  };
}

function response(): CodecCase {
  const time = { high: 0x17979cfe, low: 0x362a0000 };
  const value = {
    hopCount: HOPS,
    chosenHop: 0,
    flags: 0,
    requestId: 0x42,
    transmitTime: time,
    nodeId: 1,
    portId: 0x11,
    queueId: 3,
    timestamp: time,
    txBytes: { high: 0x12, low: 0x34567880 },
    queueBytes: 1200,
    capacityMbps: 100_000,
  };
  const emit = (bytes: Uint8Array): void => emitTelemetryResponse(value, bytes, 0);
  const parse = (bytes: Uint8Array): number => good(parseTelemetryResponse(bytes, 0)).queueBytes;
  return {
    name: 'telemetry-response',
    bytes: written(TELEMETRY_RESPONSE_LENGTH, emit),
    parse,
    emit,
  };
}
