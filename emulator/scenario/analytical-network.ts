import { z } from 'zod';
import { parseLocated } from '../../common/document/located-document';
import { InputError } from '../../common/errors';
import type { ScenarioInput } from './schema';

/** Most ranks of a network, as of a trace. */
const RANKS_MAX = 8192;
/** astra-sim counts 2^30 bytes as a GB. */
const GBPS_PER_GBYTE = (2 ** 30 * 8) / 1e9;

const SHAPES = ['Ring', 'FullyConnected', 'Switch'] as const;
const schema = z
  .object({
    topology: z.array(z.enum(SHAPES)).min(1),
    npus_count: z.array(z.number().int().min(2).max(RANKS_MAX)),
    bandwidth: z.array(z.number().positive()),
    latency: z.array(z.number().nonnegative()),
  })
  .superRefine((value, context) => {
    for (const key of ['npus_count', 'bandwidth', 'latency'] as const) {
      if (value[key].length === value.topology.length) continue;
      const message = `must have ${value.topology.length} values, one for each dimension of topology`;
      context.addIssue({ code: 'custom', path: [key], message });
    }
  });

interface Dimension {
  readonly shape: (typeof SHAPES)[number];
  readonly size: number;
  readonly rateGbps: number;
  readonly delayNs: number;
  /** Ranks between two neighbours of the dimension. */
  readonly stride: number;
}

/** A network of astra-sim's analytical backend, made of nodes and links. */
export interface AnalyticalNetwork {
  readonly topology: ScenarioInput['topology'];
  readonly dimensions: readonly number[];
  /** Rate of a rank's links of each dimension, in Gb/s. */
  readonly rates: readonly number[];
}

/** True for text in the format of astra-sim's analytical backend. */
export const isAnalyticalNetwork = (text: string): boolean =>
  /^npus_count\s*:/m.test(text) && /^topology\s*:\s*(?:\[|\n\s*-)/m.test(text);

/**
 * Reads a network of astra-sim's analytical backend: host `h1` is rank 0. In the backend ranks forward for each other;
 * here each has a switch that does, joined by a link without delay that carries as much as its other ones.
 * @throws InputError with file and line.
 */
export function parseAnalyticalNetwork(text: string, file: string): AnalyticalNetwork {
  const { value } = parseLocated(text, file, schema, 'network');
  let stride = 1;
  const dimensions = value.topology.map((shape, i): Dimension => {
    const size = value.npus_count[i] as number;
    // Telemetry carries rates in whole Mb/s.
    const rateGbps = Math.round((value.bandwidth[i] as number) * GBPS_PER_GBYTE * 1000) / 1000;
    const dimension = { shape, size, rateGbps, delayNs: value.latency[i] as number, stride };
    stride *= size;
    return dimension;
  });
  if (stride > RANKS_MAX) {
    throw new InputError(`${file}: ${stride} ranks are more than ${RANKS_MAX}`);
  }
  return {
    topology: topologyOf(dimensions, stride),
    dimensions: dimensions.map(({ size }) => size),
    rates: dimensions.map(({ rateGbps }) => rateGbps),
  };
}

type Links = Extract<ScenarioInput['topology'], { kind: 'custom' }>['links'];

function topologyOf(dimensions: readonly Dimension[], ranks: number): ScenarioInput['topology'] {
  const hosts = Array.from({ length: ranks }, (_, rank) => `h${rank + 1}`);
  const [only, ...more] = dimensions;
  if (only?.shape === 'Switch' && more.length === 0) {
    const { rateGbps, delayNs } = only;
    const links = hosts.map((host) => ({
      between: ['s1', host] as [string, string],
      rateGbps,
      delayNs,
    }));
    return { kind: 'custom', switches: ['s1'], hosts, links };
  }
  const switches = hosts.map((_, rank) => `s${rank + 1}`);
  const rateGbps = dimensions.reduce((sum, each) => sum + each.rateGbps * linksOfRank(each), 0);
  const links: Links = hosts.map((host, rank) => ({
    between: [switches[rank] as string, host],
    rateGbps,
    delayNs: 0,
  }));
  dimensions.forEach((dimension, i) => {
    for (let rank = 0; rank < ranks; rank++) {
      if (placeOf(rank, dimension) === 0) join(dimension, { rank, i, switches, links });
    }
  });
  return { kind: 'custom', switches, hosts, links };
}

const placeOf = (rank: number, { stride, size }: Dimension): number =>
  Math.floor(rank / stride) % size;

/** Links of a rank in a dimension. */
function linksOfRank({ shape, size }: Dimension): number {
  if (shape === 'Switch') return 1;
  return shape === 'Ring' ? Math.min(2, size - 1) : size - 1;
}

interface Growing {
  /** First rank of the group. */
  readonly rank: number;
  /** Place of the dimension. */
  readonly i: number;
  readonly switches: string[];
  readonly links: Links;
}

/** Joins the ranks that differ in their place in a dimension alone. */
function join(dimension: Dimension, { rank, i, switches, links }: Growing): void {
  const { shape, size, stride, rateGbps, delayNs } = dimension;
  const group = Array.from({ length: size }, (_, n) => switches[rank + n * stride] as string);
  const add = (a: string, b: string): unknown => links.push({ between: [a, b], rateGbps, delayNs });
  if (shape === 'Switch') {
    const middle = `d${i + 1}-${rank + 1}`;
    switches.push(middle);
    for (const each of group) add(middle, each);
    return;
  }
  group.forEach((each, n) => {
    const others = shape === 'Ring' ? [group[(n + 1) % size] as string] : group.slice(n + 1);
    // A ring of two is one link.
    if (shape === 'Ring' && size === 2 && n === 1) return;
    for (const other of others) add(each, other);
  });
}
