import type { TelemetryDocument } from '../../document/schema';
import type { TableEntry } from '../../entities/table-entry';
import { reportWay } from './report-way';
import { actionEntry, INGRESS_PORT, NO_STATE } from './role-parts';
import type { Role, RoleContext, RoleState } from './role-parts';
import { endsPath } from './service-path-role';

type Namespace = TelemetryDocument['ioam']['namespaces'][number];

/** Data of a node that has no data of a namespace (RFC 9197, section 4.4.2). */
const NO_DATA = 0xffff_ffff;
const NO_WIDE_DATA = 0xffff_ffff_ffff_ffffn;

/**
 * IOAM transit: the namespaces that the network knows, the ports where IOAM may come in, which are all that lead
 * somewhere and are trusted, and the way to the collector of reports for direct export.
 */
export const IOAM_ROLE: Role = {
  requests: [
    {
      what: 'telemetry.ioam',
      table: 'namespaces',
      asked: ({ telemetry }) => telemetry.ioam.namespaces.length > 0,
    },
    {
      what: 'telemetry.ioam.namespaces.directExport',
      table: 'direct_exports',
      asked: ({ telemetry }) => telemetry.ioam.namespaces.some(asksExport),
    },
  ],
  state,
};

function state(context: RoleContext): RoleState {
  const { namespaces, servicePaths } = context.network.telemetry.ioam;
  const isAsked = namespaces.length + servicePaths.length > 0;
  if (!isAsked || context.program.tables.find('namespaces') === undefined) return NO_STATE;
  const exported = exportEntries(context, namespaces);
  return {
    replication: exported.replication,
    entries: [...namespaces.map(namespaceEntry), ...openPorts(context), ...exported.entries],
  };
}

const namespaceEntry = ({ id, hpcc, data = NO_DATA, wideData }: Namespace): TableEntry =>
  actionEntry('namespaces', { namespace_id: id }, 'set_namespace', {
    is_hpcc: hpcc ? 1 : 0,
    data,
    wide_data: wideData ?? NO_WIDE_DATA,
  });

function openPorts({ place, spec }: RoleContext): readonly TableEntry[] {
  const untrusted = new Set(
    spec.document.ports.filter((each) => each.untrusted).map(({ port }) => port),
  );
  return place.ports
    .filter(({ port }) => !untrusted.has(port))
    .map(({ port }) => actionEntry('interface', { [INGRESS_PORT]: port }, 'enable', {}));
}

const asksExport = ({ directExport }: Namespace): boolean => directExport !== undefined;

/** The way of reports where the switch has a route to the collector, and namespaces whose packets are reported. */
function exportEntries(context: RoleContext, namespaces: readonly Namespace[]): RoleState {
  const isThere = context.program.tables.find('direct_exports') !== undefined;
  if (!isThere || !(namespaces.some(asksExport) || endsPath(context))) return NO_STATE;
  const way = reportWay(context, { table: 'report_collector', action: 'report_to' });
  const session = way.replication[0]?.sessionId;
  if (session === undefined) return NO_STATE;
  const entries = namespaces.flatMap(({ id, hpcc, directExport }) =>
    directExport === undefined
      ? []
      : [
          actionEntry('direct_exports', { namespace_id: id }, 'export_directly', {
            with_departure: hpcc ? 1 : 0,
            clone_session: session,
            gap: directExport.gapNs,
          }),
        ],
  );
  return { replication: way.replication, entries: [...entries, ...way.entries] };
}
