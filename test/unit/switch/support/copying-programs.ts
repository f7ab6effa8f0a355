import { assign, hex, primitive } from './json-values';
import { when } from './steering';
import type { Primitive } from './json-values';
import type { V1ModelSwitch } from '../../../../switch/v1model/v1model-switch';

/** Statements of ingress and egress of {@link steering} before they forward. */
export interface Programs {
  readonly ingress?: readonly Primitive[];
  readonly egress?: readonly Primitive[];
}

const once = (count: number) => when('m.kept', 0, { at: 0, count });
const isNormal = when('standard_metadata.instance_type', 0, { at: 0, count: 1 });

/**
 * Programs by how packets go through them, of which most share a packet's bytes with a copy or read them again. They need
 * clone session 5 and multicast group 6.
 */
export const COPYING_PROGRAMS: readonly (readonly [how: string, Programs])[] = [
  ['forwarded', {}],
  ['cloned at ingress', { ingress: [primitive('clone_ingress_pkt_to_egress', hex(5), hex(1))] }],
  [
    'cloned at egress',
    { egress: [isNormal, primitive('clone_egress_pkt_to_egress', hex(5), hex(1))] },
  ],
  ['sent to a group', { ingress: [assign('standard_metadata.mcast_grp', hex(6))] }],
  ['resubmitted', { ingress: [once(2), assign('m.kept', hex(9)), primitive('resubmit', hex(1))] }],
  [
    'recirculated',
    { egress: [once(2), assign('m.kept', hex(9)), primitive('recirculate', hex(1))] },
  ],
];

/** Target of the copies of {@link COPYING_PROGRAMS}. */
export function setCopies({
  multicast,
  cloneSessions,
}: Pick<V1ModelSwitch, 'multicast' | 'cloneSessions'>): void {
  multicast.setGroup(6, [
    { port: 1, instance: 1 },
    { port: 3, instance: 2 },
  ]);
  const replicas = [{ port: 3, instance: 1 }];
  cloneSessions.setSession(5, { replicas, multicastGroup: 6, packetLengthMax: undefined });
}
