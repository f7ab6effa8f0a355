import type { IntBlock } from '../wire/int/int-metadata';
import { HP_DOMAIN } from '../wire/int/int-md';
import type { IntPacket } from '../wire/int/int-packet';
import type { TelemetryReport } from '../wire/int/telemetry-report';
import { isAllOnes64, word64Modulo48 } from '../wire/bytes';
import type { Word64 } from '../wire/bytes';
import type { HopTelemetry } from '../hop/hop';
import type { HopUnits, MutableHop } from '../hop/hop-units';
import { ALL_ONES_16, ALL_ONES_24, ALL_ONES_32, available, setField } from '../hop/hop-units';
import { withCapacity } from '../hop/hop-units';

const MODULUS_48 = 2 ** 48;
const MODULUS_32 = 2 ** 32;
const DS_TX_BYTES = 0x8000;
const DS_CAPACITY = 0x4000;
const DS_QUEUE = 0x2000;

/** What a block's domain-specific words are. */
interface BlockDomain {
  readonly domainId: number;
  readonly dsInstruction: number;
  /** 2^32 in v1.0, and 2^48 of the 64 bits since. */
  readonly timestampModulus: number;
}

/** Hops in path order; none for INT-MX, whose nodes report by themselves. */
export function intHops(packet: IntPacket, units: HopUnits): HopTelemetry[] {
  if (packet.kind === 'int-mx') return [];
  const domain: BlockDomain =
    packet.kind === 'int-md'
      ? { ...packet.header, timestampModulus: MODULUS_48 }
      : { domainId: 0, dsInstruction: 0, timestampModulus: MODULUS_32 };
  return packet.stack.blocks.map((block) => blockHop(block, domain, units)).reverse();
}

/** One hop per report that carries INT metadata: the reporting node's. */
export function reportHops(group: TelemetryReport, units: HopUnits): HopTelemetry[] {
  return group.reports.flatMap(({ int }) => {
    if (int === undefined) return [];
    const domain = { domainId: int.domainId, dsInstruction: int.dsBits };
    const block = { ...int.block, nodeId: group.nodeId };
    return [blockHop(block, { ...domain, timestampModulus: MODULUS_48 }, units)];
  });
}

function blockHop(block: IntBlock, domain: BlockDomain, units: HopUnits): HopTelemetry {
  const hop: MutableHop = {};
  setField(hop, 'switchId', available(block.nodeId, ALL_ONES_32));
  setField(hop, 'portId', interfaceOf(block.egressInterface, block.egressInterface2));
  setField(hop, 'ingressPortId', interfaceOf(block.ingressInterface, block.ingressInterface2));
  setQueue(hop, block, units);
  const { egressTimestamp: time } = block;
  if (time !== undefined && !isUnavailable(time, domain.timestampModulus)) {
    hop.timestamp = (word64Modulo48(time) * units.timestampUnit) % domain.timestampModulus;
    hop.timestampModulus = domain.timestampModulus;
  }
  const utilization = available(block.txUtilization, ALL_ONES_32);
  if (utilization !== undefined) hop.utilization = utilization * units.utilizationUnit;
  if (domain.domainId === HP_DOMAIN.domainId) setHpFields(hop, block, domain.dsInstruction);
  return withCapacity(hop, units);
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
      hop.txBytes = word64Modulo48({ high, low });
      hop.txBytesModulus = MODULUS_48;
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
