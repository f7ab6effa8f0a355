import { DEFAULT_MTU, formatMac, macAt } from '../../../common/topology/topology';
import type { Attachment } from '../../../common/topology/topology';
import type { ServicePath } from '../../document/service-paths';
import type { TableEntry } from '../../entities/table-entry';
import { actionEntry, NO_STATE } from './role-parts';
import type { Role, RoleContext, RoleState } from './role-parts';
import { FIRST_PRIORITY, familiesOf, watchMatch } from './watch-lines';

/**
 * Service paths of NSH: the next hop of each, which is that of the host at its end, at switches that a document names
 * the packets that are put on it, and before a host without telemetry its end, from which traces are reported.
 */
export const SERVICE_PATH_ROLE: Role = {
  requests: [
    {
      what: 'telemetry.ioam.servicePaths',
      table: 'service_paths',
      asked: ({ telemetry }) => telemetry.ioam.servicePaths.length > 0,
    },
  ],
  state,
};

function state(context: RoleContext): RoleState {
  const { servicePaths } = context.network.telemetry.ioam;
  const { tables } = context.program;
  if (tables.find('service_paths') === undefined) return NO_STATE;
  const reached = servicePaths.flatMap((path) => {
    const next = nextHopOf(context, path);
    return next === undefined ? [] : [{ path, next }];
  });
  const hops = reached.map(({ path, next }) => hopEntry(context, path, next));
  const watched = reached.flatMap(({ path, next }) => watchEntries(context, path, next));
  const entries = watched.map((entry, i) => ({ ...entry, priority: FIRST_PRIORITY - i }));
  return { ...NO_STATE, entries: [...hops, ...entries] };
}

/** True if a path ends at this switch: its host takes no NSH. */
export const endsPath = (context: RoleContext): boolean =>
  context.network.telemetry.ioam.servicePaths.some((path) => {
    const next = nextHopOf(context, path);
    return next !== undefined && isEnd(context, next);
  });

const isEnd = ({ network }: RoleContext, { peer }: Attachment): boolean =>
  network.hosts.some(({ name, telemetry }) => name === peer.node && !telemetry);

/** The first of equal ways, since a path is one. */
const nextHopOf = ({ place }: RoleContext, { to }: ServicePath): Attachment | undefined =>
  place.routes.find(({ host }) => host === to)?.nextHops[0];

function hopEntry(context: RoleContext, { id, index }: ServicePath, next: Attachment): TableEntry {
  const { topology, own } = context.place;
  const { port, peer } = next;
  const match = { path_id: id, service_index: index };
  const values = {
    port,
    dst_mac: formatMac(macAt(topology, peer)),
    src_mac: formatMac(macAt(topology, { node: own.name, port })),
  };
  const { collector } = context.network.telemetry;
  return collector !== undefined && isEnd(context, next)
    ? actionEntry('service_paths', match, 'end_path', {
        ...values,
        clone_session: collector.cloneSession,
      })
    : actionEntry('service_paths', match, 'forward_on_path', values);
}

function watchEntries(
  { spec }: RoleContext,
  { id, index, namespace, traceType, roomWords, watch }: ServicePath,
  { link }: Attachment,
): readonly TableEntry[] {
  const values = {
    path_id: id,
    service_index: index,
    namespace_id: namespace,
    type: traceType,
    room_words: roomWords,
    mtu: link.mtu ?? DEFAULT_MTU,
  };
  return watch
    .filter((line) => line.switch === spec.node.name)
    .flatMap((line) =>
      familiesOf(line).map((family) =>
        actionEntry(`classify_${family}`, watchMatch(line, family), 'enter_path', values),
      ),
    );
}
