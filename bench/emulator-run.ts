import { Session } from 'node:inspector/promises';
import { loadSimulatorFiles } from '../emulator/io/inputs/scenario-files';
import { runScenario } from '../emulator/io/run-scenario';
import { print } from '../common/io/terminal';

/** Figures of one run in a process of its own. */
export interface EmulatorRun {
  readonly packetHops: number;
  /** Wall-clock time of the virtual part. */
  readonly wallSeconds: number;
  /** Processor time of the virtual part, all threads. */
  readonly cpuSeconds: number;
  /** Bytes allocated per packet-hop in the second half of the run; only where that was measured. */
  readonly bytesPerHop: number | undefined;
  readonly residentMegabytes: number;
}

/** Objects are counted by samples, one for so many bytes. */
const SAMPLED_BYTES = 65_536;
const WARM = 0.5;
const WORKERS = 'workers=';

/** Bytes that JavaScript allocates from {@link start} on, whether they are freed or not. */
class AllocationMeter {
  readonly #session = new Session();
  #startedAtHops: number | undefined = undefined;

  constructor() {
    this.#session.connect();
  }

  /** Does nothing the second time. */
  start(packetHops: number): void {
    if (this.#startedAtHops !== undefined) return;
    this.#startedAtHops = packetHops;
    void this.#session.post('HeapProfiler.startSampling', {
      samplingInterval: SAMPLED_BYTES,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    } as object);
  }

  async bytesPerHop(packetHops: number): Promise<number | undefined> {
    if (this.#startedAtHops === undefined) return undefined;
    const { profile } = await this.#session.post('HeapProfiler.stopSampling');
    return bytesBelow(profile.head) / (packetHops - this.#startedAtHops);
  }
}

interface SampledNode {
  readonly selfSize: number;
  readonly children: SampledNode[];
}

function bytesBelow({ selfSize, children }: SampledNode): number {
  return children.reduce((sum, child) => sum + bytesBelow(child), selfSize);
}

/**
 * `emulator-run.js TOPOLOGY FLOWS [allocation] [checked] [workers=N]` runs the files once and prints an
 * EmulatorRun.
 */
async function main([topology = '', flows = '', ...how]: readonly string[]): Promise<void> {
  const meter = how.includes('allocation') ? new AllocationMeter() : undefined;
  const workers = Number(how.find((word) => word.startsWith(WORKERS))?.slice(WORKERS.length) ?? 1);
  const scenario = loadSimulatorFiles(topology, flows);
  const { record, ...rest } = scenario;
  // The simulator looks at no queue every 100 ns either.
  const settings = { ...rest, record: { ...record, queueIntervalNs: 1000 } };
  let cpuBefore: NodeJS.CpuUsage | undefined;
  const { result, wallSeconds } = await runScenario({
    scenario: settings,
    seed: 1,
    workers,
    checkInvariants: how.includes('checked'),
    onStart: () => (cpuBefore = process.cpuUsage()),
    onProgress: ({ fraction, packetHops }) => {
      if (fraction >= WARM) meter?.start(packetHops);
    },
  });
  const { user, system } = process.cpuUsage(cpuBefore);
  const { packetHops } = result.counters;
  const run: EmulatorRun = {
    packetHops,
    wallSeconds,
    cpuSeconds: (user + system) / 1e6,
    bytesPerHop: await meter?.bytesPerHop(packetHops),
    residentMegabytes: Math.round(process.resourceUsage().maxRSS / 1000),
  };
  print(JSON.stringify(run));
}

if (require.main === module) void main(process.argv.slice(2));
