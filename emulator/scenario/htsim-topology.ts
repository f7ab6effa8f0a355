import { InputError } from '../../common/errors';
import { parseNumber } from '../../common/units/number-text';
import type { TopologyDocument } from './schema';

type CustomTopology = Extract<TopologyDocument, { kind: 'custom' }>;
type Links = CustomTopology['links'];

/** True for text in htsim's format of fat trees (`.topo`). */
export const isHtsimTopology = (text: string): boolean =>
  /^\s*(?:#[^\n]*\n\s*)*Nodes\s+\d+\s+(?:#[^\n]*\n\s*)*Tiers\s+\d+/.test(text);

const HEADER = ['Nodes', 'Tiers', 'Podsize'] as const;
/** Keys of a tier that make the network; queues are the emulator's own. */
const TIER = [
  'Downlink_speed_Gbps',
  'Radix_Down',
  'Radix_Up',
  'Downlink_Latency_ns',
  'Switch_Latency_ns',
  'Bundle',
] as const;
const IGNORED = ['Queue_Up', 'Queue_Down', 'Oversubscribed'];

type Tier = Readonly<Partial<Record<(typeof TIER)[number], number>>>;

interface Tree {
  readonly file: string;
  readonly nodes: number;
  readonly podSize: number;
  readonly tiers: readonly Tier[];
  /** Keys that the file has, and the network does not. */
  readonly ignored: ReadonlySet<string>;
}

interface HtsimTopology {
  readonly topology: CustomTopology;
  /** Contents of the file that the topology leaves out, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Reads htsim's description of a fat tree of two or three tiers: host 5 becomes `h5`, switches `tor0`, `agg0`, `core0`.
 * @throws InputError with file and line, or where its numbers contradict each other.
 */
export function parseHtsimTopology(text: string, file: string): HtsimTopology {
  const tree = readTree(text, file);
  const keys = [...tree.ignored].join(', ');
  const warnings = keys === '' ? [] : [`${file}: ${keys}: not used, since queues are ours`];
  return { topology: treeTopology(tree), warnings };
}

function readTree(text: string, file: string): Tree {
  const header = new Map<string, number>();
  const tiers: Record<string, number>[] = [];
  let tier: Record<string, number> | undefined;
  const ignored = new Set<string>();
  text.split('\n').forEach((line, i) => {
    const [key = '', value, ...more] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (key === '') return;
    const where = `${file}:${i + 1}`;
    const number = value === undefined || more.length > 0 ? undefined : parseNumber(value);
    if (number === undefined) throw new InputError(`${where}: wanted a number behind ${key}`);
    if (key === 'Tier') {
      tier = {};
      if (number !== tiers.length) throw new InputError(`${where}: wanted tier ${tiers.length}`);
      tiers.push(tier);
    } else if ((HEADER as readonly string[]).includes(key)) header.set(key, number);
    else if (tier !== undefined && (TIER as readonly string[]).includes(key)) tier[key] = number;
    else if (IGNORED.includes(key)) ignored.add(key);
    else throw new InputError(`${where}: ${key} is none of the keys that are read`);
  });
  const nodes = header.get('Nodes') ?? 0;
  const count = header.get('Tiers');
  if (count !== tiers.length || count < 2 || count > 3) {
    throw new InputError(
      `${file}: wanted 2 or 3 tiers, announced are ${count}, found ${tiers.length}`,
    );
  }
  return { file, nodes, podSize: header.get('Podsize') ?? nodes, tiers, ignored };
}

function treeTopology(tree: Tree): CustomTopology {
  const { nodes, podSize, tiers, file } = tree;
  const at = (tier: number, key: (typeof TIER)[number], fallback?: number): number => {
    const value = tiers[tier]?.[key] ?? fallback;
    if (value !== undefined && value > 0) return value;
    throw new InputError(`${file}: tier ${tier} needs ${key}`);
  };
  const whole = (value: number, what: string): number => {
    if (Number.isInteger(value) && value > 0) return value;
    throw new InputError(`${file}: ${what} would be ${value}`);
  };
  const isFlat = tiers.length === 2;
  const pods = isFlat ? 1 : whole(nodes / podSize, 'the number of pods');
  const torsPerPod = whole(
    nodes / pods / at(0, 'Radix_Down'),
    'the number of ToR switches of a pod',
  );
  const aggBundle = at(1, 'Bundle', 1);
  const aggsPerPod = whole(
    at(0, 'Radix_Up') / aggBundle,
    'the number of switches above a ToR switch',
  );
  const latency = (tier: number): number => tiers[tier]?.Switch_Latency_ns ?? 0;
  const link = (tier: number, below: string, above: string): Links[number] => ({
    between: [below, above],
    rateGbps: at(tier, 'Downlink_speed_Gbps'),
    // A path has one more link than switches: each has half of both latencies.
    delayNs:
      (tiers[tier]?.Downlink_Latency_ns ?? 0) +
      (latency(tier) + (tier > 0 ? latency(tier - 1) : 0)) / 2,
    lossRate: 0,
  });
  const links: Links = [];
  const hosts = Array.from({ length: nodes }, (_, i) => `h${i}`);
  hosts.forEach((host, i) =>
    links.push(link(0, host, `tor${Math.floor(i / at(0, 'Radix_Down'))}`)),
  );
  const names = { tors: range(pods * torsPerPod, 'tor'), aggs: range(pods * aggsPerPod, 'agg') };
  names.tors.forEach((tor, t) => {
    const pod = Math.floor(t / torsPerPod);
    for (let a = 0; a < aggsPerPod; a++) {
      for (let i = 0; i < aggBundle; i++)
        links.push(link(1, tor, names.aggs[pod * aggsPerPod + a] as string));
    }
  });
  const switches = [...names.tors, ...names.aggs];
  if (isFlat) return { kind: 'custom', hosts, switches, links };
  const coreBundle = at(2, 'Bundle', 1);
  const coresPerAgg = whole(at(1, 'Radix_Up') / coreBundle, 'the number of cores above a switch');
  names.aggs.forEach((agg, a) => {
    for (let c = 0; c < coresPerAgg; c++) {
      const core = `core${(a % aggsPerPod) + c * aggsPerPod}`;
      for (let i = 0; i < coreBundle; i++) links.push(link(2, agg, core));
    }
  });
  return {
    kind: 'custom',
    hosts,
    switches: [...switches, ...range(coresPerAgg * aggsPerPod, 'core')],
    links,
  };
}

const range = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, i) => `${name}${i}`);
