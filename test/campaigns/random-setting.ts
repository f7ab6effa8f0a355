import { Random } from '../../common/random/random';
import { scenarioSchema } from '../../emulator/scenario/schema';
import type { ScenarioDocument } from '../../emulator/scenario/schema';

const HOSTS_PER_LEAF = 4;

/** A drawn setting; all of it follows from a seed. */
export interface Setting {
  readonly scenario: ScenarioDocument;
  readonly leaves: number;
  readonly spines: number;
  /** Pairs of hosts with a large flow. */
  readonly pairs: number;
  /** Senders of the incast; 0: there is none. */
  readonly fanIn: number;
  /** Links of the fabric that fail. */
  readonly failures: number;
}

/**
 * Two to four leaves of four hosts and two to four spines, every link 100 Gb/s: large flows between
 * hosts of different leaves; in three settings of four an incast of up to eight other hosts; in one of
 * three a link of the fabric that fails meanwhile.
 * @param base whose coordination and parameters the setting has.
 */
export function drawSetting(base: ScenarioDocument, seed: number): Setting {
  const random = new Random(seed);
  const from = (least: number, most: number): number => least + random.below(most - least + 1);
  const [leaves, spines] = [from(2, 4), from(2, 4)];
  const hosts = shuffled(leaves * HOSTS_PER_LEAF, random);
  const [receiver, ...others] = hosts;
  const fanIn = random.uniform() < 0.75 ? from(2, Math.min(8, others.length - 3)) : 0;
  const senders = others.slice(0, fanIn);
  const possible = pairsOf(others.slice(fanIn));
  const pairs = possible.slice(0, from(1, Math.max(1, possible.length)));
  const failures = random.uniform() < 1 / 3 ? 1 : 0;
  const exchange = {
    kind: 'training',
    name: 'exchange',
    jitterUs: 5,
    pairs: pairs.map((pair) => pair.map(nameOf)),
    bytes: from(2, 20) * 100_000,
  };
  const answers = {
    kind: 'incast',
    name: 'answers',
    senders: senders.map(nameOf),
    receiver: nameOf(receiver ?? 0),
    bytes: from(5, 40) * 10_000,
    startUs: from(0, 40),
    jitterUs: 2,
  };
  const failure = {
    atUs: from(20, 80),
    state: 'down',
    between: [`leaf${from(1, leaves)}`, `spine${from(1, spines)}`],
  };
  const fabric = { kind: 'leaf-spine', leaves, spines, hostsPerLeaf: HOSTS_PER_LEAF };
  const scenario = scenarioSchema.parse({
    ...base,
    topology: { ...fabric, rateGbps: 100, delayNs: 1000 },
    workloads: [...(pairs.length > 0 ? [exchange] : []), ...(fanIn > 0 ? [answers] : [])],
    events: failures > 0 ? [failure] : [],
    variants: {},
  });
  return { scenario, leaves, spines, pairs: pairs.length, fanIn, failures };
}

const nameOf = (host: number): string => `h${host + 1}`;
const leafOf = (host: number): number => Math.floor(host / HOSTS_PER_LEAF);

function shuffled(count: number, random: Random): number[] {
  const numbers = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [numbers[i], numbers[j]] = [numbers[j] as number, numbers[i] as number];
  }
  return numbers;
}

/** As many pairs of hosts of different leaves as there are in this order; each host is in one. */
function pairsOf(hosts: readonly number[]): (readonly [number, number])[] {
  const left = [...hosts];
  const pairs: (readonly [number, number])[] = [];
  for (;;) {
    const first = left.shift();
    if (first === undefined) return pairs;
    const at = left.findIndex((other) => leafOf(other) !== leafOf(first));
    if (at >= 0) pairs.push([first, ...left.splice(at, 1)] as [number, number]);
  }
}
