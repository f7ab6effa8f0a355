import {
  CSIG_FREE_EDGES,
  CSIG_FREE_SHARE,
  CSIG_MAX_DELAY,
  csigDelayEdges,
} from '../../../common/wire/csig/csig-domain';
import type { DefaultEntry, TableEntry } from '../../entities/table-entry';
import { actionEntry } from './role-parts';
import type { RoleContext, RoleState } from './role-parts';

const MEASURED_MAX = 0xffff_ffff;
const ANY_PRIORITY = 1;

/** CSIG: over which windows ports measure what is free, and the buckets of both signals of HPCC++. */
export function csigState({ network, place, program }: RoleContext): RoleState {
  const { csig } = network.telemetry;
  const [buckets, window] = ['buckets', 'bandwidth.window'].map((name) =>
    program.tables.find(name),
  );
  if (csig === undefined || buckets === undefined || window === undefined) {
    return { replication: [], entries: [] };
  }
  const shift = Math.log2(csig.windowNs);
  const measure: DefaultEntry = {
    kind: 'default-entry',
    table: window.name,
    action: { name: 'measure', arguments: { shift } },
  };
  // Switches do not divide: the share of the link that is free has entries per capacity.
  const capacities = new Set(place.ports.map(({ link }) => Math.round(link.rate / 1e6)));
  const shares = [...capacities].flatMap((capacity) => {
    const edges = CSIG_FREE_EDGES.map((share) => Math.round(share * capacity));
    return entriesOf(buckets.name, { signal: CSIG_FREE_SHARE, capacity_mbps: capacity }, edges);
  });
  const delays = entriesOf(buckets.name, { signal: CSIG_MAX_DELAY }, csigDelayEdges(csig));
  return { replication: [], entries: [measure, ...shares, ...delays] };
}

/** One entry per bucket; where edges round to the same number, buckets between them have none. */
function entriesOf(
  table: string,
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
    return [{ ...actionEntry(table, key, 'set_bucket', { value }), priority: ANY_PRIORITY }];
  });
}
