import type { HopRecord } from '../common/hop/hop';
import { microseconds } from '../common/units/units';
import { HpccppWindow } from '../host-agent/algorithm/window-form';
import { measureSpeed } from './measure';

const HOPS = 3;
const FRAME = 1106;
const ACKS = 2_000_000;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Acknowledgements with three hops through HPCC++ alone. Records and acknowledgement are reused, so
 * that what is allocated is the algorithm's own.
 */
export function benchAlgorithm(rounds: number): object {
  const control = new HpccppWindow({ linkRate: 100e9, baseRtt: microseconds(8.2) });
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
  const run = (count: number): void => {
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
  const { perSecond, perCpuSecond } = measureSpeed(rounds, ACKS, run);
  return {
    hops: HOPS,
    acksPerSecond: perSecond,
    acksPerCpuSecond: perCpuSecond,
    bytesAllocatedPerAck: allocatedPer(ACKS, run),
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
