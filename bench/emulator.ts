import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { UNHURRIED } from '../common/io/loop/optimising';
import { writeFlowFiles } from '../emulator/io/inputs/flow-files';
import type { FlowFiles } from '../emulator/io/inputs/flow-files';
import { scenarioSchema } from '../emulator/scenario/schema';
import type { ScenarioDocument, ScenarioInput } from '../emulator/scenario/schema';
import type { EmulatorRun } from './emulator-run';
import { runSimulator } from './simulator';

const LINKS = { rateGbps: 100, delayNs: 1000 } as const;
const FABRIC = { ...LINKS, fabricRateGbps: 400 } as const;

function search(durationUs: number): NonNullable<ScenarioInput['workloads']> {
  return [{ kind: 'poisson', name: 'search', distribution: 'WebSearch', load: 0.5, durationUs }];
}

/** The HPCC paper's star, leaf-spine fabric and fat tree; the traffic is shorter. */
const CASES: Readonly<Record<string, Omit<ScenarioInput, 'name' | 'title'>>> = {
  star: {
    topology: { kind: 'star', hosts: 17, ...LINKS },
    flows: Array.from({ length: 16 }, (_, i) => ({
      from: `h${i + 2}`,
      to: 'h1',
      bytes: 4_000_000,
      startUs: 0,
    })),
  },
  'leaf-spine of 32': {
    topology: { kind: 'leaf-spine', leaves: 4, spines: 2, hostsPerLeaf: 8, ...FABRIC },
    workloads: search(600),
  },
  'fat tree of 320': {
    topology: {
      kind: 'clos',
      pods: 5,
      leaves: 4,
      aggregations: 4,
      spinesPerPlane: 4,
      hostsPerLeaf: 16,
      ...FABRIC,
    },
    workloads: search(30),
  },
};

/**
 * Options of the engine for runs, which the launcher gives, too: a fifth less memory, and one to five hundredths
 * more processor time; and no hurry to optimise before virtual time begins.
 */
export const FOR_RUNS: readonly string[] = ['--max-semi-space-size=2', UNHURRIED];

/** Options of {@link benchEmulator}. */
export interface EmulatorBench {
  readonly rounds: number;
  /** Program of the HPCC simulator, which runs beside on the same inputs. */
  readonly ns3?: string | undefined;
}

/**
 * Packet-hops per second with one worker, with one per core, and with every packet checked; bytes that
 * JavaScript allocates per packet-hop once half the run is over; and the largest memory. Each run has a
 * process of its own.
 * @throws InputError when the simulator cannot be run.
 */
export function benchEmulator({ rounds, ns3 }: EmulatorBench): object {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-bench-'));
  try {
    const cases = Object.entries(CASES).map(([name, input], i) => {
      const scenario = scenarioSchema.parse({ ...input, name: `case-${i}`, title: name });
      return [name, benchCase(scenario, path.join(folder, String(i)), { rounds, ns3 })];
    });
    return Object.fromEntries(cases) as object;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function benchCase(
  scenario: ScenarioDocument,
  folder: string,
  { rounds, ns3 }: EmulatorBench,
): object {
  const files = writeFlowFiles(scenario, 1, folder);
  const runs: EmulatorRun[] = [];
  const checked: EmulatorRun[] = [];
  const divided: EmulatorRun[] = [];
  const simulated: number[] = [];
  const workers = os.availableParallelism();
  // Variants take turns, so that other load of the machine affects all of them.
  for (let round = 0; round < rounds; round++) {
    runs.push(runOnce(files, []));
    checked.push(runOnce(files, ['checked']));
    if (workers > 1) divided.push(runOnce(files, [`workers=${workers}`]));
    if (ns3 !== undefined) simulated.push(runSimulator(ns3, folder));
  }
  const { packetHops, residentMegabytes } = runs[0] as EmulatorRun;
  const speed = speedOf(runs);
  const seconds = medianOf(simulated);
  return {
    packetHops,
    packetHopsPerSecond: Math.round(speed),
    packetHopsPerCpuSecond: Math.round(cpuSpeedOf(runs)),
    checkedOfUnchecked: rounded(cpuSpeedOf(checked) / cpuSpeedOf(runs)),
    ...(workers > 1 && {
      divided: {
        workers,
        packetHopsPerSecond: Math.round(speedOf(divided)),
        speedUp: rounded(speedOf(divided) / speed),
        residentMegabytes: divided[0]?.residentMegabytes,
      },
    }),
    bytesPerHop: runOnce(files, ['allocation']).bytesPerHop,
    residentMegabytes,
    ...(ns3 !== undefined && {
      // Its packets take the same ways: segments are as long, and each is acknowledged.
      simulator: { packetHopsPerSecond: Math.round(packetHops / seconds) },
      timesSimulator: rounded((speed * seconds) / packetHops),
    }),
  };
}

function runOnce({ topologyFile, flowFile }: FlowFiles, what: readonly string[]): EmulatorRun {
  const program = path.join(__dirname, 'emulator-run.js');
  const args = [...FOR_RUNS, program, topologyFile, flowFile, ...what];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8' });
  return JSON.parse(output) as EmulatorRun;
}

const speedOf = (runs: readonly EmulatorRun[]): number =>
  medianOf(runs.map(({ packetHops, wallSeconds }) => packetHops / wallSeconds));

/** Processor time is affected less by other load of the machine. */
const cpuSpeedOf = (runs: readonly EmulatorRun[]): number =>
  medianOf(runs.map(({ packetHops, cpuSeconds }) => packetHops / cpuSeconds));

const rounded = (ratio: number): number => Number(ratio.toFixed(2));

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}
