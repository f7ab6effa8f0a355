import type { HopRecord } from '../../../common/telemetry/hop';
import { microseconds } from '../../../common/units/units';
import { HpccppWindow } from '../../../host-agent/algorithm/window-form';
import { operationsPerSecond } from './measure';

const HOPS = 3;
const FRAME = 1106;

/** One acknowledgement with three hops through HPCC++. */
export function benchAlgorithm(rounds: number): object {
  const control = new HpccppWindow({ linkRate: 100e9, baseRtt: microseconds(8.2) });
  let packets = 0;
  const acksPerSecond = operationsPerSecond(rounds, 1_000_000, (count) => {
    for (let i = 0; i < count; i++) {
      packets++;
      const sequence = packets * 1000;
      control.onAck({
        ackSequence: sequence,
        nextSequence: sequence + 50_000,
        telemetry: Array.from({ length: HOPS }, (_, hop) => hopRecord(hop, packets)),
        isIncomplete: false,
        now: packets * 88_480,
      });
    }
  });
  return { hops: HOPS, acksPerSecond };
}

const hopRecord = (hop: number, packets: number): HopRecord => ({
  switchId: hop + 1,
  portId: 1,
  timestamp: Math.floor((packets * FRAME * 80) / 1000) + hop * 1000,
  timestampModulus: 2 ** 48,
  txBytes: packets * FRAME,
  txBytesModulus: 2 ** 48,
  queueBytes: (packets % 7) * FRAME,
  capacity: 100e9,
});
