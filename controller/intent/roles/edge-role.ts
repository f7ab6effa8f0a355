import { attachments, DEFAULT_MTU } from '../../../common/topology/topology';
import type { TelemetryDocument } from '../../document/schema';
import type { ActionByName } from '../../entities/action';
import type { CloneSession } from '../../entities/replication';
import type { TableEntry } from '../../entities/table-entry';
import { actionEntry, EGRESS_PORT, INGRESS_PORT, NO_STATE } from './role-parts';
import type { Role, RoleContext, RoleState } from './role-parts';
import { reportWay } from './report-way';
import {
  familiesOf,
  FIRST_PRIORITY,
  portsToDeafHosts,
  watchMatch,
  withoutReports,
} from './watch-lines';

type WatchLine = TelemetryDocument['watch'][number];

/**
 * The INT roles of a switch at the edge: source for the flows on its watch list, sink for hosts
 * that cannot read telemetry, and nothing believed that comes in at untrusted ports.
 */
export const EDGE_ROLE: Role = {
  requests: [
    {
      what: 'telemetry.watch',
      table: 'sink_port',
      asked: ({ telemetry }, { node }) => telemetry.watch.some((each) => each.switch === node.name),
    },
    {
      what: 'untrusted ports',
      table: 'port_trust',
      asked: (_, { document }) => document.ports.some(({ untrusted }) => untrusted),
    },
    {
      what: 'hosts without telemetry',
      table: 'sink_port',
      orTable: 'extraction',
      asked: (network, { node }) =>
        portsToDeafHosts(network, attachments(network.topology).get(node.name) ?? []).length > 0,
    },
  ],
  state,
};

function state(context: RoleContext): RoleState {
  if (context.program.tables.find('sink_port') === undefined) return NO_STATE;
  const collector = reportWay(context, { table: 'collector', action: 'set_collector' });
  return {
    replication: collector.replication,
    entries: [
      ...untrustedPorts(context),
      ...watchList(context),
      ...sourceMtus(context),
      ...sinkPorts(context, collector.replication[0]),
      ...collector.entries,
    ],
  };
}

function untrustedPorts({ spec, network }: RoleContext): readonly TableEntry[] {
  const { untrustedDscp: dscp } = network.telemetry;
  return spec.document.ports
    .filter(({ untrusted }) => untrusted)
    .map(({ port }) => actionEntry('port_trust', { [INGRESS_PORT]: port }, 'distrust', { dscp }));
}

function watchList({ network, spec, program }: RoleContext): readonly TableEntry[] {
  const { telemetry } = network;
  const lines = telemetry.watch.filter((line) => line.switch === spec.node.name);
  const entries = lines.flatMap((line, slot) =>
    familiesOf(line).flatMap((family) => {
      const table = `watch_${family}`;
      if (program.tables.find(table) === undefined) return [];
      const match = watchMatch(line, family);
      const action = watchAction(line, slot, telemetry.maxHops);
      const entry = actionEntry(table, match, action.name, action.arguments);
      return [{ ...entry, priority: FIRST_PRIORITY - slot }];
    }),
  );
  const names = { table: 'watch_ipv4', action: 'no_telemetry' };
  return withoutReports(network, entries, names);
}

/** MTU of each port where the source stands in ingress, which reads no record of the egress port. */
function sourceMtus({ place, program }: RoleContext): readonly TableEntry[] {
  if (program.tables.find('port_mtu') === undefined) return [];
  return place.ports.map(({ port, link }) =>
    actionEntry('port_mtu', { [EGRESS_PORT]: port }, 'set_mtu', { mtu: link.mtu ?? DEFAULT_MTU }),
  );
}

function watchAction({ oneIn }: WatchLine, slot: number, maxHops: number): ActionByName {
  if (oneIn === 0) return { name: 'no_telemetry', arguments: {} };
  if (oneIn === 1) return { name: 'add_telemetry', arguments: { max_hops: maxHops } };
  const values = { interval: oneIn, slot, max_hops: maxHops };
  return { name: 'add_telemetry_to_one_in', arguments: values };
}

function sinkPorts(
  { network, place, spec }: RoleContext,
  session: CloneSession | undefined,
): readonly TableEntry[] {
  const ports = portsToDeafHosts(network, place.ports);
  const outside = spec.document.ports.filter(({ untrusted }) => untrusted);
  const numbers = new Set([...ports, ...outside].map(({ port }) => port));
  return [...numbers].map((port) => {
    const match = { [EGRESS_PORT]: port };
    return session === undefined
      ? actionEntry('sink_port', match, 'extract', {})
      : actionEntry('sink_port', match, 'extract_and_report', { clone_session: session.sessionId });
  });
}
