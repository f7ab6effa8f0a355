import { runScenario } from '../../emulator/io/run-scenario';
import type { Result } from '../../emulator/result/result';
import { expandTopology } from '../../emulator/scenario/expand-topology';
import { scenarioSchema } from '../../emulator/scenario/schema';
import type { ScenarioInput } from '../../emulator/scenario/schema';
import { RESULT } from './result';

/** Intervals of its timelines. */
const INTERVALS = 32;
const INTERVAL_US = 4;

/**
 * A result of a network as a scenario writes it, in which nobody has computed anything: each direction of a
 * link carries `load` thousandths of its rate, and has a queue of `queue` bytes, by its name and interval.
 */
export function fabricResult(
  topology: ScenarioInput['topology'],
  load: (link: string, interval: number) => number,
  queue: (link: string, interval: number) => number = () => 0,
): Result {
  const { switches, hosts, links } = expandTopology(
    scenarioSchema.parse({ name: 'fabric', title: 'A fabric', topology, flows: [] }).topology,
  );
  const ports = new Map<string, number>();
  const portOf = (node: string): number => {
    const port = (ports.get(node) ?? 0) + 1;
    ports.set(node, port);
    return port;
  };
  const directions = links.flatMap(({ a, b, rateGbps }) => {
    const [one, other] = [`${a}:${portOf(a)}`, `${b}:${portOf(b)}`];
    return [`${one}->${other}`, `${other}->${one}`].map((name) => ({ name, rateGbps }));
  });
  const each = Array.from({ length: INTERVALS }, (_, i) => i);
  const lines = directions.map(({ name, rateGbps }) => ({
    name,
    sentBytes: each.map((i) => (load(name, i) / 1000) * rateGbps * 125 * INTERVAL_US),
    queuePeakBytes: each.map((i) => queue(name, i)),
  }));
  return {
    ...RESULT,
    scenario: { name: 'fabric', title: `A constructed run on ${hosts.length} hosts` },
    durationUs: INTERVALS * INTERVAL_US,
    topology: {
      nodes: [
        ...switches.map((name) => ({ name, kind: 'switch' as const })),
        ...hosts.map((name) => ({ name, kind: 'host' as const })),
      ],
      links: links.map(({ a, b, rateGbps, delayNs }) => ({
        a,
        b,
        rateGbps,
        delayUs: delayNs / 1000,
      })),
    },
    links: directions.map(({ name, rateGbps }, i) => ({
      name,
      rateGbps,
      packets: 1,
      bytes: lines[i]?.sentBytes.reduce((sum, bytes) => sum + bytes, 0) ?? 0,
      lostPackets: 0,
      queuePeakBytes: Math.max(...(lines[i]?.queuePeakBytes ?? [])),
    })),
    timelines: {
      intervalUs: INTERVAL_US,
      links: lines,
      droppedPackets: each.map(() => 0),
      feedbackPackets: each.map(() => 0),
    },
  };
}

const shape = { rateGbps: 100, fabricRateGbps: 400, delayNs: 1000 };

export const HOSTS_320 = {
  kind: 'clos',
  pods: 5,
  leaves: 4,
  aggregations: 4,
  spinesPerPlane: 4,
  hostsPerLeaf: 16,
  ...shape,
} as const;

export const HOSTS_5000 = {
  kind: 'clos',
  pods: 25,
  leaves: 10,
  aggregations: 4,
  spinesPerPlane: 4,
  hostsPerLeaf: 20,
  ...shape,
} as const;

/** Result of WebSearch at half load on 320 hosts. */
export async function webSearchOn320(): Promise<Result> {
  const scenario = scenarioSchema.parse({
    name: 'websearch-320',
    title: 'WebSearch at half load on 320 hosts, 100 Gb/s',
    topology: HOSTS_320,
    workloads: [
      { kind: 'poisson', name: 'search', distribution: 'WebSearch', load: 0.5, durationUs: 60 },
    ],
    parameters: { maxStage: 5 },
    untilUs: 160,
  });
  return (await runScenario({ scenario, seed: 1, checkInvariants: false })).result;
}
