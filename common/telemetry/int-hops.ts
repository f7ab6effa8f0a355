import { readIntBlock } from '../wire/int/int-metadata';
import type { IntBlock } from '../wire/int/int-metadata';
import { HP_DOMAIN, readHop } from '../wire/int/int-md';
import { parseIntHead } from '../wire/int/int-packet';
import type { IntHead } from '../wire/int/int-packet';
import { WireFault } from '../wire/fault';
import type { TelemetryReport } from '../wire/int/telemetry-report';
import { definedFields, wordHex, wordsHex } from './fields';
import { isAllOnes64, word64Modulo48, word64Modulo53, wrappingCounter } from '../wire/bytes';
import type { Word64 } from '../wire/bytes';
import type { CarrierHop, HopRecord } from '../hop/hop';
import type { HopUnits, MutableHop } from '../hop/hop-units';
import { ALL_ONES_16, ALL_ONES_24, ALL_ONES_32, available, setField } from '../hop/hop-units';
import { withCapacity } from '../hop/hop-units';

const MODULUS_48 = 2 ** 48;
const MODULUS_32 = 2 ** 32;
const MODULUS_53 = 2 ** 53;
const DS_TX_BYTES = 0x8000;
const DS_CAPACITY = 0x4000;
const DS_QUEUE = 0x2000;

/** The domain id and instruction that give meaning to a block's domain-specific words. */
interface BlockDomain {
  readonly domainId: number;
  readonly dsInstruction: number;
  /** 2^32 before v2.0, 2^53 of the 64 bits that some write there, and 2^48 of the 64 bits since. */
  readonly timestampModulus: number;
}

/**
 * Hops in path order; none for INT-MX, whose nodes report by themselves. Blocks are not kept.
 * PERF: a hop of the HPCC domain costs 0.1 us of the 0.6 us that a block with its hop does, and a
 * capture has five of them per packet.
 */
export function intStackHops(bytes: Uint8Array, head: IntHead, units: HopUnits): CarrierHop[] {
  if (head.kind === 'int-mx') return [];
  const { stackAt, blocksEnd, layout } = head;
  const domain = domainOf(head);
  const isHp = isHpcc(layout.instructionBitmap, domain, units);
  const length = 4 * layout.hopWords;
  const hops: CarrierHop[] = [];
  for (let at = blocksEnd - length; at >= stackAt && length > 0; at -= length) {
    const hop = isHp ? readHop(bytes, at) : undefined;
    if (hop !== undefined && isComplete(hop)) hops.push(hop);
    else hops.push(blockHop(readIntBlock(bytes, at, layout), domain, units));
  }
  return hops;
}

function domainOf(head: IntHead): BlockDomain {
  if (head.kind === 'int-mx') return NARROW_DOMAIN;
  if (head.kind !== 'int-md') return head.layout.timestampWords === 1 ? NARROW_DOMAIN : WIDE_DOMAIN;
  const { domainId, dsInstruction } = head.header;
  return { domainId, dsInstruction, timestampModulus: MODULUS_48 };
}

const NARROW_DOMAIN: BlockDomain = { domainId: 0, dsInstruction: 0, timestampModulus: MODULUS_32 };
/** v1.0 with clocks of 64 bits, modulo what numbers hold, since their epoch may be any. */
const WIDE_DOMAIN: BlockDomain = { domainId: 0, dsInstruction: 0, timestampModulus: MODULUS_53 };

/** True if blocks have exactly the fields of HPCC++, in its units. */
const isHpcc = (bitmap: number, domain: BlockDomain, units: HopUnits): boolean =>
  bitmap === HP_DOMAIN.instructionBitmap &&
  domain.domainId === HP_DOMAIN.domainId &&
  domain.dsInstruction === HP_DOMAIN.dsInstruction &&
  units.queueUnit === 1 &&
  units.timestampUnit === 1;

/** Offsets of the blocks of a stack, the newest hop's first. */
export interface HopPlace {
  readonly at: number;
  readonly end: number;
}

/** The INT stack at `offset`, if all its blocks have exactly the fields of HPCC++. */
export function hpccStack(
  bytes: Uint8Array,
  offset: number,
  end: number,
  units: HopUnits,
): HopPlace | undefined {
  const head = parseIntHead(bytes, offset, end);
  if (head instanceof WireFault || head.kind !== 'int-md' || head.shim.npt !== 0) return undefined;
  const { layout, stackAt, blocksEnd } = head;
  const isHp = isHpcc(layout.instructionBitmap, domainOf(head), units);
  const isWhole = blocksEnd > stackAt && layout.hopWords === HP_DOMAIN.hopWords;
  return isHp && isWhole ? { at: stackAt, end: blocksEnd } : undefined;
}

/** True if no field has the value that marks it as not available. */
export const isComplete = (hop: HopRecord): boolean =>
  hop.switchId !== ALL_ONES_32 &&
  hop.portId !== ALL_ONES_16 &&
  hop.ingressPortId !== ALL_ONES_16 &&
  hop.queueBytes !== ALL_ONES_24 &&
  hop.timestamp !== MODULUS_48 - 1 &&
  hop.txBytes !== ALL_ONES_32 &&
  hop.capacity !== ALL_ONES_32 * 1e6;

/** One hop per report that carries INT metadata: the reporting node's. */
export function reportHops(group: TelemetryReport, units: HopUnits): CarrierHop[] {
  return group.reports.flatMap(({ int }) => {
    if (int === undefined) return [];
    const domain = { domainId: int.domainId, dsInstruction: int.dsBits };
    const block = { ...int.block, nodeId: group.nodeId };
    return [blockHop(block, { ...domain, timestampModulus: MODULUS_48 }, units)];
  });
}

/** The hop of a report before v2.0, whose times have 32 bits. */
export const olderReportHop = (block: IntBlock, units: HopUnits): CarrierHop =>
  blockHop(block, NARROW_DOMAIN, units);

function blockHop(block: IntBlock, domain: BlockDomain, units: HopUnits): CarrierHop {
  const hop: MutableCarrierHop = {};
  setField(hop, 'switchId', available(block.nodeId, ALL_ONES_32));
  setField(hop, 'portId', interfaceOf(block.egressInterface, block.egressInterface2));
  setField(hop, 'ingressPortId', interfaceOf(block.ingressInterface, block.ingressInterface2));
  setQueue(hop, block, units);
  const { egressTimestamp: time } = block;
  if (time !== undefined && !isUnavailable(time, domain.timestampModulus)) {
    hop.timestamp = nanoseconds(time, domain, units);
    hop.timestampModulus = domain.timestampModulus;
  }
  const utilization = available(block.txUtilization, ALL_ONES_32);
  if (utilization !== undefined) hop.utilization = utilization * units.utilizationUnit;
  if (domain.domainId === HP_DOMAIN.domainId) setHpFields(hop, block, domain.dsInstruction);
  const fields = otherFields(block, domain, units);
  if (fields !== undefined) hop.fields = fields;
  return withCapacity(hop, units);
}

type MutableCarrierHop = MutableHop & { fields?: Readonly<Record<string, number | string>> };

/** Values of a block beyond the fields that all carriers share. */
function otherFields(
  block: IntBlock,
  domain: BlockDomain,
  units: HopUnits,
): Readonly<Record<string, number | string>> | undefined {
  const { domainId, dsInstruction, timestampModulus } = domain;
  const { ingressTimestamp: time, bufferOccupancy: buffer, queueOccupancy: queue } = block;
  const congestion = block.congestionStatus;
  const isHp = domainId === HP_DOMAIN.domainId;
  const hasPortQueue = isHp && (dsInstruction & DS_QUEUE) !== 0 && queue !== undefined;
  const latency = available(block.hopLatency, ALL_ONES_32);
  const all = {
    hopLatencyNs: latency === undefined ? undefined : latency * units.timestampUnit,
    ingressTimestampNs:
      time === undefined || isUnavailable(time, timestampModulus)
        ? undefined
        : nanoseconds(time, domain, units),
    ingressPortId2: available(block.ingressInterface2, ALL_ONES_32),
    egressPortId2: available(block.egressInterface2, ALL_ONES_32),
    ownQueueBytes: hasPortQueue ? queue * units.queueUnit : undefined,
    congestedQueueId: congestion === ALL_ONES_24 ? undefined : block.congestedQueueId,
    congestionStatus: available(congestion, ALL_ONES_24),
    bufferId: buffer === ALL_ONES_24 ? undefined : block.bufferId,
    bufferBytes: buffer === ALL_ONES_24 ? undefined : buffer && buffer * units.queueUnit,
    reservedWords: wordsHex(block.reserved),
    domainWords: isHp ? undefined : wordsHex(block.domain),
    checksumComplement:
      block.checksumComplement === undefined ? undefined : wordHex(block.checksumComplement),
  };
  return definedFields(all);
}

/** In the block's units times `timestampUnit`, modulo the domain's modulus. */
function nanoseconds(time: Word64, { timestampModulus }: BlockDomain, units: HopUnits): number {
  const value = timestampModulus === MODULUS_53 ? word64Modulo53(time) : word64Modulo48(time);
  return (value * units.timestampUnit) % timestampModulus;
}

function isUnavailable(time: Word64, modulus: number): boolean {
  return modulus === MODULUS_32 ? time.low === ALL_ONES_32 : isAllOnes64(time);
}

/** Level-1 interfaces, or level-2 ones where there are no others. */
const interfaceOf = (level1: number | undefined, level2: number | undefined): number | undefined =>
  available(level1, ALL_ONES_16) ?? available(level2, ALL_ONES_32);

function setQueue(hop: MutableHop, { queueId, queueOccupancy }: IntBlock, units: HopUnits): void {
  if (queueId === 0xff && queueOccupancy === ALL_ONES_24) return;
  setField(hop, 'queueId', queueId);
  if (queueOccupancy !== undefined) hop.queueBytes = queueOccupancy * units.queueUnit;
}

/** The words of our domain, in the order of their bits. */
function setHpFields(hop: MutableHop, { domain }: IntBlock, dsInstruction: number): void {
  let at = 0;
  if ((dsInstruction & DS_TX_BYTES) !== 0) {
    const [high = ALL_ONES_32, low = ALL_ONES_32] = domain;
    at = 2;
    if (!isAllOnes64({ high, low })) {
      const sent = wrappingCounter({ high, low });
      hop.txBytes = sent.value;
      hop.txBytesModulus = sent.modulus;
    }
  }
  if ((dsInstruction & DS_CAPACITY) !== 0) {
    const megabits = available(domain[at++], ALL_ONES_32);
    if (megabits !== undefined) hop.capacity = megabits * 1e6;
  }
  if ((dsInstruction & DS_QUEUE) !== 0) {
    setField(hop, 'queueBytes', available(domain[at], ALL_ONES_32));
  }
}
