import { readUint16 } from '../../wire/bytes';
import type { WireFault } from '../../wire/fault';
import { readIpv6Address } from '../../wire/ip/ipv6';
import type { HopColumns } from '../collect/hop-columns';
import type { Arrival, ReportOutput } from '../collect/report-intake';
import { timeToLiveAt } from '../collect/inner-packet';
import { NONE } from '../collect/report-columns';
import type { ReportColumns } from '../collect/report-columns';
import type { CollectedReport } from '../collect/report-collector';
import { ipv6Text } from '../decode/frame-layers';
import { DEFAULT_HOP_UNITS } from '../../hop/hop-units';
import { encode } from './byte-text';
import type { ByteText, EncodedText } from './byte-text';

const COMMA = 44;
const POINT = 46;
const OPEN = 123;
const CLOSE = 125;
const CLOSE_LIST = 93;
const NEW_LINE = 10;
const UDP = 17;
const TYPE_INT = 1;
const ALL_ONES = 0xffff_ffff;

/**
 * A line of JSON for each datagram of reports: just what the decoder's report is as JSON, written from columns where
 * they hold all of it.
 * PERF: a report of four hops costs 2 us instead of 30.
 */
export class ReportLines implements ReportOutput {
  readonly tellsAll = true;
  readonly #out: ByteText;
  #int: IntText = intText(0, 0, 0, 0);

  constructor(out: ByteText) {
    this.#out = out;
  }

  addDecoded(found: CollectedReport): void {
    this.#json(found);
  }

  addFault(fault: WireFault): void {
    this.#json({ fault: fault.toString() });
  }

  addColumns(bytes: Uint8Array, columns: ReportColumns, { lostBefore }: Arrival): void {
    const out = this.#out;
    const { nodeId, hardwareId, sequence } = columns;
    out.encoded(NODE);
    out.whole(nodeId);
    out.encoded(HARDWARE);
    out.whole(hardwareId);
    out.encoded(SEQUENCE);
    out.whole(sequence);
    out.encoded(LOST);
    out.whole(lostBefore);
    out.encoded(DETAILS);
    out.whole(hardwareId);
    out.encoded(SEQUENCE);
    out.whole(sequence);
    out.encoded(NODE_IN_DETAILS);
    out.whole(nodeId);
    this.#reports(columns);
    this.#ownHops(columns);
    this.#packets(bytes, columns);
    out.character(NEW_LINE);
  }

  #json(line: object): void {
    this.#out.text(JSON.stringify(line));
    this.#out.character(NEW_LINE);
  }

  #reports(columns: ReportColumns): void {
    const out = this.#out;
    out.encoded(REPORTS);
    for (let row = 0; row < columns.size; row++) {
      if (row > 0) out.character(COMMA);
      out.encoded(TYPE);
      out.whole(columns.type[row] as number);
      out.encoded(INNER_TYPE);
      out.whole(columns.innerType[row] as number);
      const flags = (columns.flags[row] as number) >>> 4;
      out.encoded(FLAGS[16 * (columns.isOpenEnded[row] as number) + flags] as EncodedText);
      if (columns.type[row] === TYPE_INT) this.#metadata(columns, row);
      out.encoded(INNER_LENGTH);
      out.whole(columns.innerLength[row] as number);
      out.character(CLOSE);
    }
  }

  #metadata(columns: ReportColumns, row: number): void {
    const reason = columns.dropReason[row] as number;
    if (reason !== NONE) {
      this.#out.encoded(DROP_QUEUE);
      this.#out.whole(columns.dropQueueId[row] as number);
      this.#out.encoded(DROP_REASON);
      this.#out.whole(reason);
    }
    const bits = columns.metadataBits[row] as number;
    const domainId = columns.domainId[row] as number;
    const dsInstruction = columns.dsInstruction[row] as number;
    const dsStatus = columns.dsStatus[row] as number;
    const { bits: last, domainId: domain, dsInstruction: ds, dsStatus: status } = this.#int;
    const isSame =
      bits === last && domainId === domain && dsInstruction === ds && dsStatus === status;
    if (!isSame) this.#int = intText(bits, domainId, dsInstruction, dsStatus);
    this.#out.encoded(this.#int.text);
  }

  #ownHops(columns: ReportColumns): void {
    const out = this.#out;
    out.encoded(HOPS_OF_NODE);
    let count = 0;
    for (let row = 0; row < columns.size; row++) {
      const own = columns.own[row] as number;
      if (own === NONE) continue;
      if (count++ > 0) out.character(COMMA);
      writeHop(out, columns.hops, own);
    }
  }

  #packets(bytes: Uint8Array, columns: ReportColumns): void {
    const out = this.#out;
    out.encoded(INNER);
    let count = 0;
    for (let row = 0; row < columns.size; row++) {
      const ipAt = columns.ipAt[row] as number;
      if (ipAt === NONE) continue;
      if (count++ > 0) out.character(COMMA);
      out.encoded(REPORT);
      out.whole(row + 1);
      writeFlow(out, bytes, ipAt, columns.l4At[row] as number);
      out.encoded(HOPS_OF_PACKET);
      const from = columns.stackFrom[row] as number;
      const to = columns.stackTo[row] as number;
      for (let hop = from; hop < to; hop++) {
        if (hop > from) out.character(COMMA);
        writeHop(out, columns.hops, hop);
      }
      out.character(CLOSE_LIST);
      out.character(CLOSE);
    }
    out.character(CLOSE_LIST);
    out.character(CLOSE);
  }
}

const NODE = encode('{"nodeId":');
const HARDWARE = encode(',"hardwareId":');
const SEQUENCE = encode(',"sequence":');
const LOST = encode(',"lostBefore":');
const DETAILS = encode(',"details":{"hardwareId":');
const NODE_IN_DETAILS = encode(',"nodeId":');
const REPORTS = encode(',"reports":[');
const TYPE = encode('{"type":');
const INNER_TYPE = encode(',"innerType":');
const DROP_QUEUE = encode(',"queueId":');
const DROP_REASON = encode(',"dropReason":');
const INNER_LENGTH = encode(',"innerLengthBytes":');
const HOPS_OF_NODE = encode(']},"hops":[');
const INNER = encode('],"inner":[');
const REPORT = encode('{"report":');
const HOPS_OF_PACKET = encode(',"hops":[');

/** By the bit of an open end, and D, Q, F and I. */
const FLAGS: readonly EncodedText[] = Array.from({ length: 32 }, (_, bits) =>
  encode(
    ['isOpenEnded', 'dropped', 'congestedQueue', 'trackedFlow', 'intermediate']
      .map((name, i) => `,"${name}":${(bits & (16 >> i)) !== 0}`)
      .join(''),
  ),
);

/** Text of a report's metadata header, which is that of the one before as a rule. */
interface IntText {
  readonly bits: number;
  readonly domainId: number;
  readonly dsInstruction: number;
  readonly dsStatus: number;
  readonly text: EncodedText;
}

function intText(bits: number, domainId: number, dsInstruction: number, dsStatus: number): IntText {
  const hex = (value: number): string => `"0x${value.toString(16).padStart(4, '0')}"`;
  const text = encode(
    `,"metadataBits":${hex(bits)},"domainId":${hex(domainId)}` +
      `,"dsInstruction":${hex(dsInstruction)},"dsStatus":${hex(dsStatus)}`,
  );
  return { bits, domainId, dsInstruction, dsStatus, text };
}

const SOURCE = encode(',"flow":{"source":"');
const DESTINATION = encode('","destination":"');
const UDP_PORT = encode('","protocol":"udp","sourcePort":');
const TCP_PORT = encode('","protocol":"tcp","sourcePort":');
const DESTINATION_PORT = encode(',"destinationPort":');
const DSCP = encode(',"dscp":');
const TIME_TO_LIVE = encode('},"timeToLive":');

function writeFlow(out: ByteText, bytes: Uint8Array, ipAt: number, l4At: number): void {
  const isIpv6 = (bytes[ipAt] as number) >>> 4 === 6;
  const [from, width] = isIpv6 ? [ipAt + 8, 16] : [ipAt + 12, 4];
  out.encoded(SOURCE);
  writeAddress(out, bytes, from, isIpv6);
  out.encoded(DESTINATION);
  writeAddress(out, bytes, from + width, isIpv6);
  out.encoded(bytes[ipAt + (isIpv6 ? 6 : 9)] === UDP ? UDP_PORT : TCP_PORT);
  out.whole(readUint16(bytes, l4At));
  out.encoded(DESTINATION_PORT);
  out.whole(readUint16(bytes, l4At + 2));
  out.encoded(DSCP);
  out.whole(isIpv6 ? (readUint16(bytes, ipAt) & 0x0fff) >>> 6 : (bytes[ipAt + 1] as number) >>> 2);
  out.encoded(TIME_TO_LIVE);
  out.whole(timeToLiveAt(bytes, ipAt));
}

function writeAddress(out: ByteText, bytes: Uint8Array, at: number, isIpv6: boolean): void {
  if (isIpv6) {
    out.text(ipv6Text(readIpv6Address(bytes, at)));
    return;
  }
  for (let i = 0; i < 4; i++) {
    if (i > 0) out.character(POINT);
    out.whole(bytes[at + i] as number);
  }
}

type Column = Exclude<keyof HopColumns, 'size' | 'read' | 'latencyAt'>;

const key = (name: string, column: Column): readonly [EncodedText, Column] => [
  encode(`,"${name}":`),
  column,
];

/** In the decoder's order. */
const HOP_KEYS = [
  key('switchId', 'nodeId'),
  key('portId', 'egress'),
  key('ingressPortId', 'ingress'),
  key('queueId', 'queueId'),
  key('queueBytes', 'queueBytes'),
  key('timestamp', 'egressTime'),
];
const FIELD_KEYS = [
  key('hopLatencyNs', 'latencyNs'),
  key('ingressTimestampNs', 'ingressTime'),
  key('ingressPortId2', 'ingress2'),
  key('egressPortId2', 'egress2'),
  key('bufferId', 'bufferId'),
  key('bufferBytes', 'bufferBytes'),
];
const MODULUS = encode(`,"timestampModulus":${2 ** 48}`);
const UTILIZATION = encode(',"utilization":');
const FIELDS = encode(',"fields":');

/** The first comma of an object becomes its brace. */
function writeHop(out: ByteText, hops: HopColumns, row: number): void {
  const start = out.length;
  for (let i = 0; i < HOP_KEYS.length; i++) {
    const [text, column] = HOP_KEYS[i] as (typeof HOP_KEYS)[number];
    const value = hops[column][row] as number;
    if (value < 0 || (i === 0 && value === ALL_ONES)) continue;
    out.encoded(text);
    out.whole(value);
  }
  if ((hops.egressTime[row] as number) >= 0) out.encoded(MODULUS);
  const utilization = hops.utilization[row] as number;
  if (utilization >= 0) {
    out.encoded(UTILIZATION);
    out.number(utilization * DEFAULT_HOP_UNITS.utilizationUnit);
  }
  writeFields(out, hops, row);
  close(out, start);
}

function writeFields(out: ByteText, hops: HopColumns, row: number): void {
  const before = out.length;
  out.encoded(FIELDS);
  const start = out.length;
  for (const [text, column] of FIELD_KEYS) {
    const value = hops[column][row] as number;
    if (value < 0) continue;
    out.encoded(text);
    out.whole(value);
  }
  if (out.length === start) out.clear(before);
  else close(out, start);
}

function close(out: ByteText, start: number): void {
  if (out.length === start) out.character(OPEN);
  else out.replace(start, OPEN);
  out.character(CLOSE);
}
