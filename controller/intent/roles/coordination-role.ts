import { PS_PER_NS, PS_PER_SECOND } from '../../../common/units/units';
import { formatIpv4 } from '../../../common/topology/topology';
import type { Attachment } from '../../../common/topology/topology';
import { holdTimeOf, thresholdsOf } from '../../document/coordination';
import type { CoordinationDocument } from '../../document/coordination';
import type { DefaultEntry, TableEntry } from '../../entities/table-entry';
import type { Value } from '../../entities/value';
import { coordinationWays, speaksIpv6 } from './coordination-ways';
import { actionEntry, defaultEntry, EGRESS_PORT, roleOf, sessionTo } from './role-parts';
import type { RoleContext } from './role-parts';
import { keyArguments } from './signing-key';
import { switchAddress, switchIpv6Address } from '../routing/switch-address';

/** Requests that hosts hear while they would remember one, as each may be lost. */
const RENEWALS_PER_HOLD = 3;

const MODES = { ecmp: 0, adaptive: 1, coordinated: 2 } as const;

/**
 * Coordinated congestion management: what the switch does, the ways that it may choose from, which
 * ports lead to hosts, and with whom it exchanges notifications.
 */
export const COORDINATION_ROLE = roleOf({
  what: 'coordination',
  tables: ['coordination_settings'],
  section: ({ coordination }) => coordination,
  fill: (coordination, context) => ({
    replication: [sessionTo(context.spec, coordination)],
    entries: [
      ...settings(context, coordination),
      ...coordinationWays(context, coordination.paths),
      ...watchedPorts(context, coordination),
      ...partners(context, coordination),
    ],
  }),
});

function settings(context: RoleContext, document: CoordinationDocument): readonly DefaultEntry[] {
  const { own } = context.place;
  const { cloneSession: clone_session } = document;
  const interval_ns = nanoseconds(document.interval);
  return [
    defaultEntry('coordination_settings', 'set_coordination', {
      mode: MODES[document.mode],
      ar_id: own.nodeId,
      clock_unit_ns: own.clockUnitNs,
      pin_age_ns: nanoseconds(document.pinAge),
      flowlet_gap_ns: nanoseconds(document.flowletGap),
      interval_ns,
      clone_session,
    }),
    ...loadSettings(document),
    ...spraySettings(document),
    defaultEntry('incast_settings', 'set_incast', {
      interval_ns,
      release_after_ns: nanoseconds(document.releaseAfter),
      renew_after_ns: Math.max(interval_ns, nanoseconds(holdTimeOf(document) / RENEWALS_PER_HOLD)),
      clone_session,
    }),
    defaultEntry('sender', 'set_sender', {
      node_id: own.nodeId,
      src_addr: formatIpv4(switchAddress(context.spec)),
      dscp: document.notificationDscp,
      ...keyArguments(document, context.spec),
      boot: document.boot,
    }),
    ...(speaksIpv6(context)
      ? [
          defaultEntry('sender_ipv6', 'set_ipv6_sender', {
            src_addr: switchIpv6Address(context.spec),
          }),
        ]
      : []),
  ];
}

function loadSettings({ loadWindow }: CoordinationDocument): readonly DefaultEntry[] {
  if (loadWindow === undefined) return [];
  const shift = Math.floor(Math.log2(nanoseconds(loadWindow)));
  return [defaultEntry('load_settings', 'set_load_window', { shift: Math.min(shift, 31) })];
}

const spraySettings = ({ balancing }: CoordinationDocument): readonly DefaultEntry[] =>
  balancing === 'spray' ? [defaultEntry('spray_settings', 'set_spray', { sprays: 1 })] : [];

/** Thresholds at every port, and the end of stand-alone tags at ports to hosts. */
function watchedPorts(
  { network, place }: RoleContext,
  document: CoordinationDocument,
): readonly TableEntry[] {
  const hosts = new Set(network.topology.hosts.map(({ name }) => name));
  const isToHost = ({ peer }: Attachment): boolean => hosts.has(peer.node);
  const { highBytes, lowBytes, incastHighBytes, incastLowBytes } = thresholdsOf(document);
  const common = { high_bytes: highBytes, low_bytes: lowBytes };
  const incast = {
    shared_high_bytes: incastHighBytes,
    shared_low_bytes: incastLowBytes,
    window_ns: nanoseconds(document.interval),
  };
  const thresholds = place.ports.map((each) =>
    isToHost(each)
      ? threshold(each, 'watch_host_port', {
          ...common,
          ...incast,
          full_bytes: fullBytes(each, document),
        })
      : threshold(each, 'watch_port', common),
  );
  const ends = document.keepTagAtHosts ? [] : place.ports.filter(isToHost);
  return [
    ...thresholds,
    ...ends.map(({ port }) => actionEntry('tag_end', { [EGRESS_PORT]: port }, 'strip_tag', {})),
  ];
}

/** Bytes that a port sends in an interval when it is full; 0: it never is. */
function fullBytes(
  { link }: Attachment,
  { releaseBelow = 0, interval }: CoordinationDocument,
): number {
  return Math.round((releaseBelow * link.rate * interval) / (8 * PS_PER_SECOND));
}

const threshold = (
  { port }: Attachment,
  action: string,
  values: Readonly<Record<string, Value>>,
): TableEntry => actionEntry('thresholds', { [EGRESS_PORT]: port }, action, values);

/** All other switches: where to send them a notification, and whether to believe theirs. */
function partners(context: RoleContext, document: CoordinationDocument): readonly TableEntry[] {
  const { network, spec } = context;
  const isIpv6 = speaksIpv6(context);
  return network.switches
    .filter((each) => each !== spec)
    .flatMap((each) => {
      const { nodeId } = each.node;
      const address = { dst_addr: formatIpv4(switchAddress(each)) };
      const ipv6 = { dst_addr: switchIpv6Address(each) };
      const { key_id, low, high } = keyArguments(document, each);
      const peer = { sender_node: nodeId, key_id };
      return [
        actionEntry('ar_point', { ar_id: nodeId }, 'set_point', address),
        ...(isIpv6
          ? [actionEntry('ar_point_ipv6', { ar_id: nodeId }, 'set_ipv6_point', ipv6)]
          : []),
        actionEntry('peer', peer, 'set_peer', { low, high, slot: nodeId }),
      ];
    });
}

const nanoseconds = (duration: number): number => Math.round(duration / PS_PER_NS);
