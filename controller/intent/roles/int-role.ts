import { attachments } from '../../../common/topology/topology';
import type { Attachment } from '../../../common/topology/topology';
import { INT_CARRIERS, intHopWords } from '../../document/int-telemetry';
import type { IntDocument, IntSourceLine } from '../../document/int-telemetry';
import type { NetworkSpec, SwitchSpec } from '../../document/network';
import type { ActionByName } from '../../entities/action';
import type { DefaultEntry, TableEntry } from '../../entities/table-entry';
import { actionEntry, defaultEntry, EGRESS_PORT, INGRESS_PORT, NO_STATE } from './role-parts';
import type { Role, RoleContext, RoleState } from './role-parts';
import { reportWay } from './report-way';
import {
  familiesOf,
  FIRST_PRIORITY,
  portsToDeafHosts,
  reportFlow,
  watchMatch,
  withoutReports,
} from './watch-lines';

/** Bit of a carrier that tables know by its number; those that only sources know have none. */
const numberOf = (carrier: (typeof INT_CARRIERS)[number]): number =>
  INT_CARRIERS.indexOf(carrier) + 1;
/** Counters of sampling in a switch. */
const SLOTS = 1024;
const ALL_METHODS = 0xff;
/** Utilisation is in units of 0.01 %, made of bytes by a factor with 24 bits behind the point. */
const UTILIZATION_ONE = 10_000;
const FACTOR_ONE = 2 ** 24;
const FACTOR_MAX = 0xffff_ffff;

/**
 * INT v2.1 by the program that has all of it: sources for the flows of the document, sinks at ports to hosts
 * that cannot read telemetry, reports to the collector, and what a node can tell of itself.
 */
export const INT_ROLE: Role = {
  requests: [
    {
      what: 'telemetry.int',
      table: 'methods',
      asked: ({ telemetry }) => telemetry.int !== undefined,
    },
  ],
  state,
};

function state(context: RoleContext): RoleState {
  const { program, network, spec } = context;
  const hasAll = ['methods', 'extraction', 'unknown_sets'].every(
    (name) => program.tables.find(name) !== undefined,
  );
  if (!hasAll) return NO_STATE;
  const int = network.telemetry.int;
  const way = reportWay(context, { table: 'report_collector', action: 'report_to' });
  const session = way.replication[0]?.sessionId;
  return {
    replication: way.replication,
    entries: [
      ...(int === undefined ? [] : settings(int)),
      ...way.entries,
      ...(session === undefined ? [] : reportEntries(context, session)),
      ...watchEntries(network, spec),
      ...sinkPorts(network, spec),
      ...interfaces(context),
      ...utilization(context),
      ...buffers(context),
    ],
  };
}

function settings({ carriers, unknown }: IntDocument): readonly DefaultEntry[] {
  const mask = carriers?.reduce((bits, each) => bits | (1 << methodOf(each)), 0) ?? ALL_METHODS;
  const skip = (what: 'ones' | 'skip'): number => (what === 'skip' ? 1 : 0);
  return [
    defaultEntry('methods', 'accept_methods', { mask }),
    defaultEntry('unknown_sets', 'treat_unknown', {
      skip_reserved: skip(unknown.reserved),
      skip_domains: skip(unknown.domains),
    }),
  ];
}

/** In a packet, a GRE header that the source has added is GRE like any other. */
const methodOf = (carrier: (typeof INT_CARRIERS)[number]): number =>
  numberOf(carrier === 'newGre' ? 'gre' : carrier);

function watchEntries(network: NetworkSpec, spec: SwitchSpec): readonly TableEntry[] {
  const entries = (network.telemetry.int?.sources ?? []).flatMap((line, position) =>
    line.switch === spec.node.name ? sourceEntries(line, position) : [],
  );
  return withoutReports(network, entries, { table: 'watch_ipv4', action: 'add_nothing' });
}

function sourceEntries(line: IntSourceLine, position: number): readonly TableEntry[] {
  return familiesOf(line).map((family) => {
    const { name, arguments: values } = sourceAction(line, position);
    const entry = actionEntry(`watch_${family}`, watchMatch(line, family), name, values);
    return { ...entry, priority: FIRST_PRIORITY - position };
  });
}

function sourceAction(line: IntSourceLine, position: number): ActionByName {
  if (line.mode === 'none') return { name: 'add_nothing', arguments: {} };
  const sets = {
    instructions: line.instructions,
    domain_id: line.domain,
    ds_instructions: line.dsInstruction,
  };
  const sampling = { interval: line.oneIn, slot: position % SLOTS };
  if (line.mode === 'xd') return { name: 'export_int', arguments: { ...sets, ...sampling } };
  const { carrier, discard } = { carrier: numberOf(line.carrier), discard: line.discard ? 1 : 0 };
  if (line.mode === 'mx') {
    return { name: 'add_int_mx', arguments: { carrier, ...sets, discard, ...sampling } };
  }
  const hops = { hop_words: intHopWords(line), max_hops: line.maxHops, discard };
  return { name: 'add_int_md', arguments: { carrier, ...sets, ...hops, ...sampling } };
}

/** Windows and thresholds of reports; without them, tracked flows alone are reported, packet by packet. */
function reportEntries(
  context: RoleContext,
  session: number,
): readonly (TableEntry | DefaultEntry)[] {
  const { network, spec, place } = context;
  const reports = network.telemetry.int?.reports;
  const { windowNs, latencyStepNs = 1, queue, drops = [] } = reports ?? {};
  const shift = windowNs === undefined ? 0 : Math.log2(windowNs);
  // Ingress has no port record, so its windows are in units of the target's clock.
  const units = shift === 0 ? 0 : Math.max(1, Math.round(shift - Math.log2(spec.node.clockUnitNs)));
  const settingsOf = {
    clone_session: session,
    shift,
    latency_shift: Math.log2(latencyStepNs),
  };
  const watched = drops.flatMap((line, position) =>
    familiesOf(line).map((family) => {
      const values = { clone_session: session, shift: units };
      const match = watchMatch(line, family);
      const entry = actionEntry(`dropped_${family}`, match, 'report_drop', values);
      return { ...entry, priority: FIRST_PRIORITY - position };
    }),
  );
  return [
    defaultEntry('report_settings', 'set_reports', settingsOf),
    ...(queue === undefined ? [] : place.ports.map(({ port }) => watchedQueue(port, queue))),
    ...withoutReports(network, watched, { table: 'dropped_ipv4', action: 'ignore_drop' }),
    ...exemptFlows(context),
  ];
}

/** Reports of other switches, which this one neither reports for its queues nor for telemetry inside. */
function exemptFlows({ network, program }: RoleContext): readonly TableEntry[] {
  const flow = reportFlow(network);
  if (flow === undefined || program.tables.find('exempt_flows') === undefined) return [];
  const match = { 'hdr.ipv4.dst_addr': flow.address, dst_port: flow.port };
  return [actionEntry('exempt_flows', match, 'exempt', {})];
}

const NEVER = 0xffff_ffff;

function watchedQueue(
  port: number,
  { bytes, latencyNs, quota, instructions }: NonNullable<IntDocument['reports']['queue']>,
): TableEntry {
  const values = {
    queue_bytes: bytes ?? NEVER,
    latency_ns: latencyNs ?? NEVER,
    quota,
    instructions,
  };
  return actionEntry('watched_queue', { [EGRESS_PORT]: port }, 'watch_queue', values);
}

function sinkPorts(network: NetworkSpec, spec: SwitchSpec): readonly TableEntry[] {
  const own = attachments(network.topology).get(spec.node.name) ?? [];
  const outside = spec.document.ports.filter(({ untrusted }) => untrusted);
  const ports = [...portsToDeafHosts(network, own), ...outside].map(({ port }) => port);
  return [...new Set(ports)].map((port) =>
    actionEntry('extraction', { [EGRESS_PORT]: port }, 'extract_int', {}),
  );
}

/** Level 2 interfaces have the node's id in front of the port, so that each is one of its kind. */
function interfaces({ place: { own, ports } }: RoleContext): readonly TableEntry[] {
  return ports.flatMap(({ port }) => {
    const values = { interface2: own.nodeId * 0x1_0000 + port };
    return [
      actionEntry('ingress_interface', { [INGRESS_PORT]: port }, 'set_ingress_interface', values),
      actionEntry('egress_interface', { [EGRESS_PORT]: port }, 'set_egress_interface', values),
    ];
  });
}

function utilization({ network, place: { ports } }: RoleContext): readonly TableEntry[] {
  const windowNs = network.telemetry.int?.utilizationWindowNs;
  if (windowNs === undefined) return [];
  return ports.map(({ port, link }: Attachment) => {
    const windowBytes = (link.rate * windowNs) / 8e9;
    const factor = Math.round((UTILIZATION_ONE * FACTOR_ONE) / windowBytes);
    const scale = Math.min(FACTOR_MAX, Math.max(1, factor));
    const values = { scale, shift: Math.log2(windowNs) };
    const match = { [EGRESS_PORT]: port };
    return actionEntry('utilization_scale', match, 'set_utilization_scale', values);
  });
}

/** Queues of bmv2 have a buffer each; where memory is shared, or a port has several queues, none is told. */
function buffers({ spec: { document }, place: { ports } }: RoleContext): readonly TableEntry[] {
  if (document.target !== 'bmv2') return [];
  const several = document.ports.filter(({ priorities }) => priorities !== undefined);
  const shared = new Set(several.map(({ port }) => port));
  return ports
    .filter(({ port }) => !shared.has(port))
    .map(({ port }) => {
      const values = { buffer_id: port & 0xff };
      return actionEntry('port_buffer', { [EGRESS_PORT]: port }, 'set_buffer', values);
    });
}
