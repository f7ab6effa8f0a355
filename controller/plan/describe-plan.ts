import { unreachable } from '../../common/assert';
import type { ActionByName, EntryAction } from '../entities/action';
import { describeEntity } from '../entities/describe';
import type { Value } from '../entities/value';
import type { PortChange } from '../intent/ports';
import type { QueueSetting } from '../intent/queues';
import { changesOf } from './diff';
import type { Change } from './diff';
import type { KeptEntity } from '../entities/identity';
import { isEmpty, tally } from './switch-plan';
import type { SwitchPlan } from './switch-plan';
import { parseIpv4, parseMac } from '../../common/topology/topology';

/** The plans of a network for people: a block per switch that differs, then the sum. */
export function describePlans(plans: readonly SwitchPlan[]): string {
  const different = plans.filter((each) => !isEmpty(each));
  if (different.length === 0) return `${switches(plans.length)} as wanted; nothing to do`;
  const blocks = different.map((each) => describePlan(each));
  return [...blocks, `${different.length} of ${switches(plans.length)} to change`].join('\n');
}

/**
 * A plan, one line per change: `+` inserts, `~` modifies, `-` deletes, `=` sets what cannot be read
 * back.
 */
export function describePlan(plan: SwitchPlan): string {
  const { load, stages, queues, ports } = plan;
  return [
    `${plan.switch}: ${describeTally(plan)}`,
    ...(load === undefined ? [] : [`  ! load program ${load.program}: ${load.reason}`]),
    ...changesOf(stages).map((each) => `  ${describeChange(each)}`),
    ...ports.map((each) => `  ~ ${describePort(each)}`),
    ...queues.map((each) => `  = ${describeQueue(each)}`),
  ].join('\n');
}

/** `2 inserts, 1 delete, 4 queue settings` */
function describeTally({ stages, queues, ports }: SwitchPlan): string {
  const { insert, modify, delete: removed } = tally(stages);
  const parts = [
    count(insert, 'insert'),
    count(modify, 'modify', 'modifies'),
    count(removed, 'delete'),
    count(ports.length, 'port setting'),
    count(queues.length, 'queue setting'),
  ];
  return parts.flatMap((part) => part ?? []).join(', ') || 'no updates';
}

/** `~ ipv4_route (hdr.ipv4.dst_addr = 10.0.0.1/32): member 2 -> group 1` */
export function describeChange({ type, entity, before }: Change): string {
  const mark = { insert: '+', modify: '~', delete: '-' }[type];
  const place = `${mark} ${describeEntity(entity)}`;
  if (type === 'delete') return place;
  const after = describeContent(entity);
  return before === undefined
    ? `${place}: ${after}`
    : `${place}: ${describeContent(before)} -> ${after}`;
}

/** `port 132 (5/0), port-speed: SPEED_40GB -> SPEED_100GB` */
export const describePort = ({ port, name, leaf, found, wanted }: PortChange): string =>
  `port ${port} (${name}), ${leaf}: ${found} -> ${wanted}`;

/** `port 1: 82563 packets/s, 64 packets` */
export function describeQueue(setting: QueueSetting): string {
  const { port, priority, packetsPerSecond, depthPackets } = setting;
  const queue = priority === undefined ? '' : `, priority ${priority}`;
  const values = [
    packetsPerSecond === undefined ? undefined : `${packetsPerSecond} packets/s`,
    depthPackets === undefined ? undefined : `depth ${depthPackets} packets`,
  ];
  return `queue of port ${port}${queue}: ${values.flatMap((each) => each ?? []).join(', ')}`;
}

function describeContent(entity: KeptEntity): string {
  switch (entity.kind) {
    case 'table-entry':
      return describeAction(entity.action);
    case 'default-entry':
      return entity.action === undefined ? 'as in the program' : describeCall(entity.action);
    case 'member':
      return describeCall(entity.action);
    case 'group': {
      const members = entity.members.map(({ memberId, weight }) =>
        weight === 1 ? `${memberId}` : `${memberId} (weight ${weight})`,
      );
      return `members ${members.join(', ') || 'none'}`;
    }
    case 'multicast-group':
    case 'clone-session': {
      const ports = entity.replicas.map(({ port, instance }) =>
        instance === 0 ? `${port}` : `${port} (instance ${instance})`,
      );
      const cut = entity.kind === 'clone-session' && entity.packetLengthBytes > 0;
      return `ports ${ports.join(', ') || 'none'}${cut ? `, cut at ${entity.packetLengthBytes} bytes` : ''}`;
    }
    default:
      return unreachable(entity);
  }
}

function describeAction(action: EntryAction): string {
  switch (action.kind) {
    case 'action':
      return describeCall(action.action);
    case 'member':
      return `member ${action.memberId}`;
    case 'group':
      return `group ${action.groupId}`;
    case 'one-shot':
      return `one of ${action.actions.map((each) => describeCall(each.action)).join(', ')}`;
    default:
      return unreachable(action);
  }
}

function describeCall({ name, arguments: given }: ActionByName): string {
  const values = Object.entries(given).map(([key, value]) => `${key} = ${readable(key, value)}`);
  return `${name}(${values.join(', ')})`;
}

/** Only parameters that are called so are addresses. */
function readable(key: string, value: Value): string {
  const text = String(value);
  const isAddress = /addr|ip|mac|src|dst|host|gateway|next_hop|nhop/i.test(key);
  return isAddress ? text : plainNumber(text);
}

function count(n: number, one: string, many = `${one}s`): string | undefined {
  return n === 0 ? undefined : `${n} ${n === 1 ? one : many}`;
}

const switches = (n: number): string => `${n} ${n === 1 ? 'switch' : 'switches'}`;

/**
 * P4Info does not tell addresses from numbers of the same width, so the client writes numbers of 32
 * and 48 bits as addresses.
 * @returns such an address as a number, and other text as it is.
 */
export function plainNumber(text: string): string {
  return String(parseIpv4(text) ?? parseMac(text) ?? text);
}
