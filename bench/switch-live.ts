import { assert } from '../common/assert';
import { withForwarding } from './live/forwarding';
import { runLoad } from './live/run-load';
import { describeBmv2, findBmv2 } from './live/bmv2-binary';
import { embeddedSwitch } from './live/switch-process';
import { packetsReceived } from './live/test-bed';
import type { TestBed } from './live/forwarding';

const FRAME_BYTES = 1000;
const LOAD_SECONDS = 1;
/** Offered packets per second; 0 is as many as possible, under which some switches collapse. */
const LOADS = [20_000, 40_000, 80_000, 160_000, 240_000, 320_000, 400_000, 0] as const;
/** Queues behind the load must run empty before packets are counted. */
const SETTLE_MS = 300;

/**
 * hpcc.p4 between two interfaces: a load generator in one namespace, a counter in another, and the
 * switch between them. The same for bmv2 where there is one. Everything shares the machine's
 * cores, so only figures of one run can be compared.
 * @param bmv2Name a path, or a name that is looked for on PATH.
 * @throws InputError without root rights.
 */
export async function benchSwitchLive(rounds: number, bmv2Name: string): Promise<object> {
  const binary = findBmv2(bmv2Name);
  const embedded = await measure(embeddedSwitch(), rounds);
  if (binary === undefined) return { ...base(), embedded, bmv2: `there is no ${bmv2Name}` };
  const described = await describeBmv2(binary);
  const bmv2 = await measure([binary.path], rounds);
  return {
    ...base(),
    embedded,
    bmv2: { ...described, ...bmv2 },
    // Ratio to bmv2's packets per second, and to its packets per processor time.
    ratio: tenths(embedded.packetsPerSecond / bmv2.packetsPerSecond),
    ratioPerProcessorTime: tenths(bmv2.cpuNsPerPacket / embedded.cpuNsPerPacket),
  };
}

const tenths = (value: number): number => Math.round(10 * value) / 10;

const base = (): object => ({ program: 'hpcc.p4', frameBytes: FRAME_BYTES });

interface Figures {
  /** Forwarded: the median of all rounds, at the load under which the switch forwards most. */
  readonly packetsPerSecond: number;
  /** Packets per second that the load generator offered then. */
  readonly offeredPerSecond: number;
  /** Processor time of the switch per forwarded packet, which other processes disturb less. */
  readonly cpuNsPerPacket: number;
}

const measure = (command: readonly string[], rounds: number): Promise<Figures> =>
  withForwarding(command, (bed) => measureLoads(bed, rounds));

async function measureLoads(bed: TestBed, rounds: number): Promise<Figures> {
  let best: Figures | undefined;
  for (const load of LOADS) {
    const figures = await measureRounds(bed, rounds, load);
    if (best === undefined || figures.packetsPerSecond > best.packetsPerSecond) best = figures;
  }
  assert(best !== undefined, 'there is a load');
  return best;
}

async function measureRounds(bed: TestBed, rounds: number, rate: number): Promise<Figures> {
  const offer = { frameBytes: FRAME_BYTES, seconds: LOAD_SECONDS, rate };
  const forwarded: number[] = [];
  const offered: number[] = [];
  const cpuNs: number[] = [];
  // The first round only warms up.
  for (let round = 0; round <= rounds; round++) {
    const before = packetsReceived(bed.receiver);
    const cpuBefore = bed.device.cpuSeconds();
    const load = await runLoad(bed.sender, offer);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    if (round === 0) continue;
    const packets = packetsReceived(bed.receiver) - before;
    forwarded.push(packets / load.seconds);
    cpuNs.push((1e9 * (bed.device.cpuSeconds() - cpuBefore)) / packets);
    offered.push(load.sent / load.seconds);
  }
  return {
    packetsPerSecond: median(forwarded),
    offeredPerSecond: median(offered),
    cpuNsPerPacket: median(cpuNs),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[sorted.length >> 1] ?? 0);
}

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
