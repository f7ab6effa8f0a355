import { describePlace } from '../entities/describe';
import { describeContent } from '../entities/describe-content';
import type { PortChange } from '../intent/ports';
import type { QueueSetting } from '../intent/queues';
import { changesOf } from './diff';
import type { Change } from './diff';
import { isEmpty, tally } from './switch-plan';
import type { SwitchPlan } from './switch-plan';

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
  const place = `${mark} ${describePlace(entity)}`;
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

function count(n: number, one: string, many = `${one}s`): string | undefined {
  return n === 0 ? undefined : `${n} ${n === 1 ? one : many}`;
}

const switches = (n: number): string => `${n} ${n === 1 ? 'switch' : 'switches'}`;
