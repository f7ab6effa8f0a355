import {
  CSIG_FREE_EDGES,
  CSIG_FREE_SHARE,
  CSIG_MAX_DELAY,
  csigDelayEdges,
} from '../../../common/wire/csig/csig-domain';
import type { TableEntry } from '../../entities/table-entry';
import { actionEntry, defaultEntry, roleOf } from './role-parts';

const MEASURED_MAX = 0xffff_ffff;
const ANY_PRIORITY = 1;

/** CSIG: over which windows ports measure what is free, and the buckets of both signals of HPCC++. */
export const CSIG_ROLE = roleOf({
  what: 'telemetry.csig',
  tables: ['buckets', 'bandwidth.window'],
  section: ({ telemetry }) => telemetry.csig,
  fill: (csig, { place }) => {
    const shift = Math.log2(csig.windowNs);
    // Switches do not divide: the share of the link that is free has entries per capacity.
    const capacities = new Set(place.ports.map(({ link }) => Math.round(link.rate / 1e6)));
    const shares = [...capacities].flatMap((capacity) => {
      const edges = CSIG_FREE_EDGES.map((share) => Math.round(share * capacity));
      return bucketEntries({ signal: CSIG_FREE_SHARE, capacity_mbps: capacity }, edges);
    });
    const delays = bucketEntries({ signal: CSIG_MAX_DELAY }, csigDelayEdges(csig));
    const measure = defaultEntry('bandwidth.window', 'measure', { shift });
    return { entries: [measure, ...shares, ...delays] };
  },
});

/** One entry per bucket; where edges round to the same number, buckets between them have none. */
function bucketEntries(
  { signal, capacity_mbps: capacity }: { signal: number; capacity_mbps?: number },
  edges: readonly number[],
): readonly TableEntry[] {
  const starts = [0, ...edges];
  return starts.flatMap((low, value) => {
    const high = (starts[value + 1] ?? MEASURED_MAX + 1) - 1;
    if (high < low) return [];
    const key = {
      signal,
      ...(capacity !== undefined && { capacity_mbps: `${capacity}&&&0xffffffff` }),
      measured: `${low}..${high}`,
    };
    return [{ ...actionEntry('buckets', key, 'set_bucket', { value }), priority: ANY_PRIORITY }];
  });
}
