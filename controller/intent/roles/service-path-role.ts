import { DEFAULT_MTU, formatMac, macAt } from '../../../common/topology/topology';
import type { Attachment } from '../../../common/topology/topology';
import type { ServicePath } from '../../document/service-paths';
import type { TableEntry } from '../../entities/table-entry';
import { actionEntry, NO_STATE } from './role-parts';
import type { Role, RoleContext, RoleState } from './role-parts';
import { FIRST_PRIORITY, familiesOf, watchMatch } from './watch-lines';

/**
 * Service paths of NSH: the next hop of each, which is that of the host at its end, and at switches that a document
 * names the packets that are put on it.
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

/** The first of equal ways, since a path is one. */
const nextHopOf = ({ place }: RoleContext, { to }: ServicePath): Attachment | undefined =>
  place.routes.find(({ host }) => host === to)?.nextHops[0];

function hopEntry(
  { place: { topology, own } }: RoleContext,
  { id, index }: ServicePath,
  { port, peer }: Attachment,
): TableEntry {
  const match = { path_id: id, service_index: index };
  return actionEntry('service_paths', match, 'forward_on_path', {
    port,
    dst_mac: formatMac(macAt(topology, peer)),
    src_mac: formatMac(macAt(topology, { node: own.name, port })),
  });
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
