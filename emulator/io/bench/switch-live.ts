import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { assert } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import { loadP4Artifacts } from '../../../common/io/p4-artifacts';
import { applyTopology, compiledPipeline } from '../../../controller/main';
import { planNetwork } from '../../network/plan';
import { expandTopology } from '../../scenario/expand-topology';
import { bmv2OnPath, bmv2Switch, embeddedSwitch, startSwitchProcess } from './live/switch-process';
import { inNamespace, makeLeg, packetsReceived, removeLeg } from './live/test-bed';
import { dataPacket } from './switch';
import type { LoadReport } from './live/packet-load';
import type { SwitchProcess } from './live/switch-process';
import type { Leg } from './live/test-bed';

const FRAME_BYTES = 1000;
const LOAD_SECONDS = 1;
/** Offered packets per second; 0 is as many as possible, under which some switches collapse. */
const LOADS = [20_000, 40_000, 80_000, 160_000, 0] as const;
/** Queues behind the load must run empty before packets are counted. */
const SETTLE_MS = 300;
const DEADLINE_MS = 20_000;

/**
 * hpcc.p4 between two interfaces: a load generator in one namespace, a counter in another, and the
 * switch between them. The same for bmv2 where it is on PATH. Everything shares the machine's
 * cores, so only figures of one run can be compared.
 */
export async function benchSwitchLive(rounds: number): Promise<object> {
  const embedded = await measure(embeddedSwitch(), rounds);
  if (!bmv2OnPath()) return { ...base(), embedded, bmv2: 'not on PATH' };
  const bmv2 = await measure(bmv2Switch(), rounds);
  return {
    ...base(),
    embedded,
    bmv2,
    // How many times bmv2's packets per second, and how many for the same processor time.
    ratio: tenths(embedded.packetsPerSecond / bmv2.packetsPerSecond),
    ratioPerProcessorTime: tenths(bmv2.cpuNsPerPacket / embedded.cpuNsPerPacket),
  };
}

const tenths = (value: number): number => Math.round(10 * value) / 10;

const base = (): object => ({ program: 'hpcc.p4', frameBytes: FRAME_BYTES });

interface Figures {
  /** Forwarded: the median of all rounds, at the load under which the switch forwards most. */
  readonly packetsPerSecond: number;
  /** What the load generator offered then. */
  readonly offeredPerSecond: number;
  /** Processor time of the switch per forwarded packet, which other processes disturb less. */
  readonly cpuNsPerPacket: number;
}

async function measure(command: readonly string[], rounds: number): Promise<Figures> {
  if (process.getuid?.() !== 0) {
    throw new InputError('needs root, because it makes network namespaces');
  }
  const legs: Leg[] = [];
  try {
    // Port 1 leads to host 1, the receiver; port 2 to host 2, the sender.
    const receiver = makeLeg();
    legs.push(receiver);
    const sender = makeLeg();
    legs.push(sender);
    const device = await startSwitchProcess(
      command,
      legs.map(({ outer }) => outer),
    );
    try {
      await setUp(device.address);
      return await measureLoads({ sender, receiver, device }, rounds);
    } finally {
      await device.stop();
    }
  } finally {
    legs.forEach(removeLeg);
  }
}

async function setUp(address: string): Promise<void> {
  // bmv2's units, which both switches have unless told otherwise.
  const units = { clockUnitNs: 1000, queueDepthUnitBytes: 1024, txUnitBytes: 1 };
  const plain = expandTopology({ kind: 'star', hosts: 2, rateGbps: 10, delayNs: 1000 });
  const { topology } = planNetwork(plain, units);
  const configured = await applyTopology({
    topology,
    pipeline: compiledPipeline(loadP4Artifacts('hpcc')),
    addresses: new Map(topology.switches.map(({ name }) => [name, address])),
    deadline: DEADLINE_MS,
  });
  for (const { client } of configured) client.close();
}

interface TestBed {
  readonly sender: Leg;
  readonly receiver: Leg;
  readonly device: SwitchProcess;
}

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
  const hex = Buffer.from(frame()).toString('hex');
  const forwarded: number[] = [];
  const offered: number[] = [];
  const cpuNs: number[] = [];
  // The first round only warms up.
  for (let round = 0; round <= rounds; round++) {
    const before = packetsReceived(bed.receiver);
    const cpuBefore = bed.device.cpuSeconds();
    const load = await runLoad(bed.sender, hex, rate);
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

function frame(): Uint8Array {
  const headers = dataPacket(FRAME_BYTES).length - FRAME_BYTES;
  const packet = dataPacket(FRAME_BYTES - headers);
  const bytes = new Uint8Array(packet.length);
  bytes.set(packet.bytes);
  return bytes;
}

async function runLoad(leg: Leg, hex: string, rate: number): Promise<LoadReport> {
  const program = path.join(__dirname, 'live', 'packet-load.js');
  const [command = '', ...args] = inNamespace(leg, [
    process.execPath,
    program,
    leg.inner,
    String(LOAD_SECONDS),
    String(rate),
    hex,
  ]);
  const { stdout } = await promisify(execFile)(command, args);
  return JSON.parse(stdout) as LoadReport;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[sorted.length >> 1] ?? 0);
}
