import { z } from 'zod';

/** Families of fabrics for many hosts. Counts are per unit above: leaves per pod, hosts per leaf. */
const positive = z.number().positive();
const count = (max: number) => z.number().int().min(1).max(max);

const linkShape = {
  rateGbps: positive,
  delayNs: z.number().nonnegative(),
  /** Links between switches; the hosts' rate otherwise. */
  fabricRateGbps: positive.optional(),
  /** Links with another rate than their kind. */
  slowLinks: z
    .array(z.strictObject({ between: z.tuple([z.string(), z.string()]), rateGbps: positive }))
    .default([]),
};

/**
 * Four layers in racks (draft-lyu-rtgwg-coordinated-cm-01 figure 1). Computing racks have hosts, L1
 * and L2; switching racks have one L3 for each computing rack, joined to all its L2, and L4. Within a
 * rack everybody in one layer is joined to everybody in the next one.
 */
const fourLayers = z.strictObject({
  kind: z.literal('four-layers'),
  computingRacks: count(32),
  switchingRacks: count(16),
  hostsPerL1: count(64),
  l1: count(16),
  l2: count(16),
  l4: count(16),
  ...linkShape,
});

/** Three layers: aggregation switch n of every pod is joined to the spines of plane n. */
const clos = z.strictObject({
  kind: z.literal('clos'),
  pods: count(32),
  leaves: count(16),
  aggregations: count(16),
  spinesPerPlane: count(16),
  hostsPerLeaf: count(64),
  ...linkShape,
});

/** Groups of leaves and spines; spine n of a group is joined to spine n of every other group. */
const dragonflyPlus = z.strictObject({
  kind: z.literal('dragonfly-plus'),
  groups: count(32),
  leaves: count(16),
  spines: count(16),
  hostsPerLeaf: count(64),
  ...linkShape,
});

/** A grid of switches whose rows and columns are rings; hosts at every switch. */
const torus = z.strictObject({
  kind: z.literal('torus'),
  columns: z.number().int().min(2).max(16),
  rows: z.number().int().min(2).max(16),
  hostsPerSwitch: count(16),
  ...linkShape,
});

export const FABRICS = [fourLayers, clos, dragonflyPlus, torus] as const;

export type FabricDocument = z.output<(typeof FABRICS)[number]>;
