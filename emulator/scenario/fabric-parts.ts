import { z } from 'zod';
import { delayNs, rateGbps } from '../workload/quantities';

/** A number of units: leaves of each pod, hosts of each leaf. */
export const count = (max: number) => z.number().int().min(1).max(max);

/** Rates and delay of a fabric's links. */
export const linkShape = {
  rateGbps: rateGbps.describe('Rate of the links of hosts, and of all others unless given.'),
  delayNs: delayNs.describe('Propagation delay of every link, in one direction.'),
  fabricRateGbps: rateGbps
    .optional()
    .describe("Links between switches; the hosts' rate otherwise."),
  slowLinks: z
    .array(
      z.strictObject({
        between: z.tuple([z.string(), z.string()]).describe('The lower and the upper node.'),
        rateGbps: rateGbps.describe('Rate of this link upwards.'),
        backRateGbps: rateGbps
          .optional()
          .describe('Rate downwards; that of the other direction unless given.'),
      }),
    )
    .default([])
    .describe('Links with another rate than their kind.'),
};

export interface FabricLink {
  readonly a: string;
  readonly b: string;
  /** A host's link, whose rate may be another one. */
  readonly isEdge: boolean;
  /** Rate and delay of a link inside of a server. */
  readonly local?: { readonly rateGbps: number; readonly delayNs: number };
}

/** Names and links of a fabric, without rates. */
export interface Fabric {
  readonly switches: readonly string[];
  readonly hosts: readonly string[];
  readonly links: readonly FabricLink[];
}

/** 1 to `count`. */
export const oneTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/** Names with numbers from 1 on. */
export function counter(prefix: string): () => string {
  let n = 0;
  return () => `${prefix}${++n}`;
}

/** Links from each of `lower` to each of `upper`. */
export function joinAll(lower: readonly string[], upper: readonly string[]): FabricLink[] {
  return lower.flatMap((a) => upper.map((b) => ({ a, b, isEdge: false })));
}

/** `perSwitch` new hosts at each switch; `name` gets their number among these switches. */
export function attach(
  switches: readonly string[],
  perSwitch: number,
  name: (n: number) => string,
): { readonly hosts: readonly string[]; readonly edges: readonly FabricLink[] } {
  const edges = switches.flatMap((a, i) =>
    oneTo(perSwitch).map((n) => ({ a, b: name(i * perSwitch + n), isEdge: true })),
  );
  return { hosts: edges.map(({ b }) => b), edges };
}
