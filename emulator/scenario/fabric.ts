import { unreachable } from '../../common/assert';
import { z } from 'zod';
import { AI_FABRICS, planes, rails } from './ai-fabrics';
import { attach, count, counter, joinAll, linkShape, oneTo } from './fabric-parts';
import type { Fabric } from './fabric-parts';

const fourLayersSchema = z
  .strictObject({
    kind: z.literal('four-layers'),
    computingRacks: count(32).describe('Racks with hosts.'),
    switchingRacks: count(16).describe('Racks that join the others.'),
    hostsPerL1: count(64).describe('Hosts of each switch of the lowest layer.'),
    l1: count(16).describe('Switches of the lowest layer in each computing rack.'),
    l2: count(16).describe('Switches of the second layer in each computing rack.'),
    l4: count(16).describe('Switches of the highest layer in each switching rack.'),
    ...linkShape,
  })
  .describe(
    'Four layers in racks (draft-lyu-rtgwg-coordinated-cm-01 figure 1). Computing racks have hosts, L1 and L2; switching racks have one L3 for each computing rack, joined to all its L2, and L4. Within a rack everybody in one layer is joined to everybody in the next one.',
  );

const closSchema = z
  .strictObject({
    kind: z.literal('clos'),
    pods: count(32).describe('Pods.'),
    leaves: count(16).describe('Leaves of each pod.'),
    aggregations: count(16).describe('Aggregation switches of each pod, one for each plane.'),
    spinesPerPlane: count(16).describe('Spines of each plane.'),
    hostsPerLeaf: count(64).describe('Hosts of each leaf.'),
    ...linkShape,
  })
  .describe('Three layers: aggregation switch n of every pod is joined to the spines of plane n.');

const fatTreeSchema = z
  .strictObject({
    kind: z.literal('fat-tree'),
    k: z
      .number()
      .int()
      .min(2)
      .max(32)
      .refine((k) => k % 2 === 0, 'must be even')
      .describe('Ports of a switch, an even number.'),
    oversubscription: count(16).default(1).describe('Times as many hosts at each leaf as uplinks.'),
    ...linkShape,
  })
  .describe(
    'The fat tree of k-port switches (Al-Fares et al., SIGCOMM 2008): k pods of k/2 leaves and k/2 aggregation switches, (k/2)^2 spines. With an oversubscription of n, every leaf has n times as many hosts. Named as in `clos`, whose special case it is.',
  );

const dragonflyPlusSchema = z
  .strictObject({
    kind: z.literal('dragonfly-plus'),
    groups: count(32).describe('Groups.'),
    leaves: count(16).describe('Leaves of each group.'),
    spines: count(16).describe('Spines of each group.'),
    hostsPerLeaf: count(64).describe('Hosts of each leaf.'),
    ...linkShape,
  })
  .describe(
    'Groups of leaves and spines; spine n of a group is joined to spine n of every other group.',
  );

const torusSchema = z
  .strictObject({
    kind: z.literal('torus'),
    columns: z.number().int().min(2).max(16).describe('Switches in a row, which is a ring.'),
    rows: z.number().int().min(2).max(16).describe('Switches in a column, which is a ring.'),
    hostsPerSwitch: count(16).describe('Hosts of each switch.'),
    ...linkShape,
  })
  .describe('A grid of switches whose rows and columns are rings; hosts at every switch.');

export const FABRICS = [
  fourLayersSchema,
  closSchema,
  fatTreeSchema,
  dragonflyPlusSchema,
  torusSchema,
  ...AI_FABRICS,
] as const;

export type FabricDocument = z.output<(typeof FABRICS)[number]>;

type Family<Kind> = Extract<FabricDocument, { kind: Kind }>;

/** Numbers in names count from 1, from the outer unit to the inner one. */
export function expandFabric(document: FabricDocument): Fabric {
  switch (document.kind) {
    case 'four-layers':
      return fourLayers(document);
    case 'clos':
      return clos(document);
    case 'fat-tree':
      return clos(closOf(document));
    case 'dragonfly-plus':
      return dragonflyPlus(document);
    case 'torus':
      return torus(document);
    case 'rails':
      return rails(document);
    case 'planes':
      return planes(document);
    default:
      return unreachable(document);
  }
}

/** Hosts `H-rack-n`, switches `L1-rack-n` to `L4-rack-n`, as in the draft. */
function fourLayers(document: Family<'four-layers'>): Fabric {
  const { computingRacks, switchingRacks, hostsPerL1, l1, l2, l4 } = document;
  const computing = oneTo(computingRacks).map((rack) => {
    const lower = oneTo(l1).map((n) => `L1-${rack}-${n}`);
    const upper = oneTo(l2).map((n) => `L2-${rack}-${n}`);
    const own = attach(lower, hostsPerL1, (n) => `H-${rack}-${n}`);
    return { ...own, upper, switches: [...lower, ...upper], inner: joinAll(lower, upper) };
  });
  const switching = oneTo(switchingRacks).map((rack) => {
    const lower = oneTo(computingRacks).map((n) => `L3-${rack}-${n}`);
    const upper = oneTo(l4).map((n) => `L4-${rack}-${n}`);
    const down = computing.flatMap((each, i) => joinAll(each.upper, [lower[i] ?? '']));
    return { switches: [...lower, ...upper], links: [...down, ...joinAll(lower, upper)] };
  });
  return {
    switches: [...computing, ...switching].flatMap(({ switches }) => switches),
    hosts: computing.flatMap(({ hosts }) => hosts),
    links: [
      ...computing.flatMap(({ edges, inner }) => [...edges, ...inner]),
      ...switching.flatMap(({ links }) => links),
    ],
  };
}

type ClosShape = Pick<
  Family<'clos'>,
  'pods' | 'leaves' | 'aggregations' | 'spinesPerPlane' | 'hostsPerLeaf'
>;

function closOf({ k, oversubscription }: Family<'fat-tree'>): ClosShape {
  const half = k / 2;
  return {
    pods: k,
    leaves: half,
    aggregations: half,
    spinesPerPlane: half,
    hostsPerLeaf: half * oversubscription,
  };
}

/** Hosts `h1`…, switches `leaf-pod-n`, `agg-pod-n` and `spine-plane-n`. */
function clos(document: ClosShape): Fabric {
  const { aggregations, spinesPerPlane, hostsPerLeaf } = document;
  const name = counter('h');
  const pods = oneTo(document.pods).map((pod) => {
    const leaves = oneTo(document.leaves).map((n) => `leaf-${pod}-${n}`);
    const upper = oneTo(aggregations).map((n) => `agg-${pod}-${n}`);
    return { leaves, upper, ...attach(leaves, hostsPerLeaf, name) };
  });
  const planes = oneTo(aggregations).map((plane) =>
    oneTo(spinesPerPlane).map((n) => `spine-${plane}-${n}`),
  );
  return {
    switches: [...pods.flatMap(({ leaves, upper }) => [...leaves, ...upper]), ...planes.flat()],
    hosts: pods.flatMap(({ hosts }) => hosts),
    links: pods.flatMap(({ edges, leaves, upper }) => [
      ...edges,
      ...joinAll(leaves, upper),
      ...upper.flatMap((own, i) => joinAll([own], planes[i] ?? [])),
    ]),
  };
}

/** Hosts `h1`…, switches `leaf-group-n` and `spine-group-n`. */
function dragonflyPlus(document: Family<'dragonfly-plus'>): Fabric {
  const { leaves, spines, hostsPerLeaf } = document;
  const name = counter('h');
  const groups = oneTo(document.groups).map((group) => {
    const lower = oneTo(leaves).map((n) => `leaf-${group}-${n}`);
    const upper = oneTo(spines).map((n) => `spine-${group}-${n}`);
    return { lower, upper, ...attach(lower, hostsPerLeaf, name) };
  });
  const global = groups.flatMap(({ upper }, i) =>
    groups
      .slice(i + 1)
      .flatMap((other) => upper.flatMap((own, n) => joinAll([own], [other.upper[n] ?? '']))),
  );
  return {
    switches: groups.flatMap(({ lower, upper }) => [...lower, ...upper]),
    hosts: groups.flatMap(({ hosts }) => hosts),
    links: [
      ...groups.flatMap(({ edges, lower, upper }) => [...edges, ...joinAll(lower, upper)]),
      ...global,
    ],
  };
}

/** Hosts `h1`…, switches `s-column-row`. A ring of two is one link. */
function torus({ columns, rows, hostsPerSwitch }: Family<'torus'>): Fabric {
  const nameOf = (x: number, y: number): string => `s-${(x % columns) + 1}-${(y % rows) + 1}`;
  const grid = oneTo(columns).flatMap((x) => oneTo(rows).map((y) => ({ x: x - 1, y: y - 1 })));
  const switches = grid.map(({ x, y }) => nameOf(x, y));
  const { hosts, edges } = attach(switches, hostsPerSwitch, counter('h'));
  const across = grid
    .filter(({ x }) => columns > 2 || x === 0)
    .flatMap(({ x, y }) => joinAll([nameOf(x, y)], [nameOf(x + 1, y)]));
  const along = grid
    .filter(({ y }) => rows > 2 || y === 0)
    .flatMap(({ x, y }) => joinAll([nameOf(x, y)], [nameOf(x, y + 1)]));
  return { switches, hosts, links: [...edges, ...across, ...along] };
}
