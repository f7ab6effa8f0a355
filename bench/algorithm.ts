import * as vm from 'node:vm';
import type { HopRecord } from '../common/hop/hop';
import { microseconds } from '../common/units/units';
import { Compartment } from '../common/io/code/compartment';
import type { CongestionControl } from '../host-agent/algorithm/congestion-control';
import { customAlgorithm } from '../host-agent/algorithm/library/custom-algorithm';
import type { InsideModule } from '../host-agent/algorithm/library/flow-inside';
import { exportsOf, newNumbers } from '../host-agent/algorithm/library/flow-outside';
import { HpccppWindow } from '../host-agent/algorithm/window-form';
import { measureSpeed } from './measure';

const HOPS = 3;
const FRAME = 1106;
const ACKS = 2_000_000;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** An algorithm of a file that does next to nothing: what is left is what its calls cost. */
const IDLE = `let last = 0;
exports.create = ({ linkRate }) => ({
  windowBytes: 5e4,
  pacingRate: linkRate,
  onAck({ telemetry }) { last = telemetry[telemetry.length - 1].queueBytes; },
});`;

const FLOW = { linkRate: 100e9, baseRtt: microseconds(8.2) };

/**
 * Acknowledgements with three hops through HPCC++ alone. Records and acknowledgement are reused, so
 * that what is allocated is the algorithm's own. Besides, what an algorithm of a file costs per acknowledgement with all
 * rights and in a compartment, when it does nothing itself.
 */
export function benchAlgorithm(rounds: number): object {
  const run = acksOf(new HpccppWindow(FLOW));
  const { perSecond, perCpuSecond } = measureSpeed(rounds, ACKS, run);
  const trusted = nanosecondsOf(rounds, trustedFile());
  const inCompartment = nanosecondsOf(rounds, fileInCompartment());
  return {
    hops: HOPS,
    acksPerSecond: perSecond,
    acksPerCpuSecond: perCpuSecond,
    bytesAllocatedPerAck: allocatedPer(ACKS, run),
    nanosecondsPerAckOfFile: {
      trusted,
      inCompartment,
      compartment: Number((inCompartment - trusted).toFixed(1)),
    },
  };
}

function nanosecondsOf(rounds: number, control: CongestionControl): number {
  const { perCpuSecond } = measureSpeed(rounds, ACKS, acksOf(control));
  return Number((1e9 / perCpuSecond).toFixed(1));
}

function trustedFile(): CongestionControl {
  const exported: Record<string, unknown> = {};
  (vm.runInThisContext(`(exports) => { ${IDLE} }`) as (exported: object) => void)(exported);
  return customAlgorithm('trusted.cjs', exported).factory({})(FLOW);
}

function fileInCompartment(): CongestionControl {
  const numbers = newNumbers();
  const compartment = new Compartment({ mayAwait: false });
  const code = compartment.inside(require.resolve('../host-agent/algorithm/library/flow-inside'));
  const inside = (code as { insideModule: (numbers: Float64Array) => InsideModule }).insideModule(
    numbers,
  );
  inside.load(compartment.prepare('idle.cjs', IDLE));
  return customAlgorithm('idle.cjs', exportsOf(inside, numbers), { copiesInput: true }).factory({})(
    FLOW,
  );
}

/** Returns what hands `count` acknowledgements to an algorithm. */
function acksOf(control: CongestionControl): (count: number) => void {
  // The algorithm keeps the records of the last acknowledgement, so two lists take turns.
  const lists = [newRecords(), newRecords()] as const;
  const ack = {
    ackSequence: 0.5,
    nextSequence: 0.5,
    telemetry: lists[0] as readonly HopRecord[],
    isIncomplete: false,
    endsRound: undefined,
    now: 0.5,
  };
  let packets = 0;
  return (count) => {
    for (let i = 0; i < count; i++) {
      packets++;
      const list = lists[packets & 1] as (typeof lists)[0];
      for (let hop = 0; hop < HOPS; hop++) advance(list[hop] as Mutable<HopRecord>, hop, packets);
      ack.telemetry = list;
      ack.ackSequence = packets * 1000;
      ack.nextSequence = packets * 1000 + 50_000;
      ack.now = packets * 88_480;
      control.onAck(ack);
    }
  };
}

function newRecords(): Mutable<HopRecord>[] {
  return Array.from({ length: HOPS }, (_, hop) => ({
    switchId: hop + 1,
    portId: 1,
    // Doubles from the beginning, so that the fields keep one representation.
    timestamp: 0.5,
    timestampModulus: 2 ** 48,
    txBytes: 0.5,
    txBytesModulus: 2 ** 48,
    queueBytes: 0.5,
    capacity: 100e9,
  }));
}

function advance(record: Mutable<HopRecord>, hop: number, packets: number): void {
  record.timestamp = Math.floor((packets * FRAME * 80) / 1000) + hop * 1000;
  record.txBytes = packets * FRAME;
  record.queueBytes = (packets % 7) * FRAME;
}

/** Growth of the heap per operation; the collector may only make it look smaller, hence the most. */
function allocatedPer(operations: number, run: (operations: number) => void): number {
  const growths = Array.from({ length: 5 }, () => {
    const before = process.memoryUsage().heapUsed;
    run(operations);
    return process.memoryUsage().heapUsed - before;
  });
  return Number((Math.max(0, ...growths) / operations).toFixed(2));
}
