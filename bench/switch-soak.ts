import { withForwarding } from './live/forwarding';
import { runLoad } from './live/run-load';
import { embeddedSwitch } from './live/switch-process';
import { packetsReceived } from './live/test-bed';
import type { TestBed } from './live/forwarding';

const FRAME_BYTES = 1000;
const SAMPLE_MS = 2000;
const WARM_UP_SECONDS = 5;

/**
 * `hpcc switch` under full load for minutes: what its memory does. The load generator sends as fast
 * as its interface takes frames, so the switch drops what it cannot forward all the time.
 */
export function benchSwitchSoak(minutes: number): Promise<object> {
  return withForwarding(embeddedSwitch(), async (bed) => {
    // Memory at rest says nothing of a leak: buffers and compiled code come with the first load.
    await runLoad(bed.sender, { frameBytes: FRAME_BYTES, seconds: WARM_UP_SECONDS, rate: 0 });
    return soak(bed, minutes);
  });
}

async function soak(bed: TestBed, minutes: number): Promise<object> {
  const seconds = 60 * minutes;
  const packetsBefore = packetsReceived(bed.receiver);
  const cpuBefore = bed.device.cpuSeconds();
  const samples = [bed.device.residentBytes()];
  const sampling = setInterval(() => samples.push(bed.device.residentBytes()), SAMPLE_MS);
  try {
    const load = await runLoad(bed.sender, { frameBytes: FRAME_BYTES, seconds, rate: 0 });
    const packets = packetsReceived(bed.receiver) - packetsBefore;
    samples.push(bed.device.residentBytes());
    return {
      program: 'hpcc.p4',
      frameBytes: FRAME_BYTES,
      minutes,
      offeredPackets: load.sent,
      packets,
      packetsPerSecond: Math.round(packets / load.seconds),
      processorShare: Number(((bed.device.cpuSeconds() - cpuBefore) / load.seconds).toFixed(2)),
      rssMegabytes: summary(samples),
    };
  } finally {
    clearInterval(sampling);
  }
}

function summary(samples: readonly number[]): object {
  const sorted = [...samples].sort((a, b) => a - b);
  return {
    samples: samples.length,
    start: megabytes(samples[0]),
    p50: megabytes(sorted[sorted.length >> 1]),
    max: megabytes(sorted[sorted.length - 1]),
    end: megabytes(samples[samples.length - 1]),
  };
}

const megabytes = (bytes = 0): number => Number((bytes / 1e6).toFixed(1));
