import { aimEntries } from '../support/differential/aimed-entries';
import { randomEntryRequests } from '../support/differential/entry-requests';
import { randomPacket } from '../support/differential/random-packets';
import { mutatedPacket } from './packets';
import type { Random } from '../../common/random/random';
import type { Program } from '../../switch/ir/nodes';
import type { NamedCall, StfRequest } from '../../switch/stf/run/requests';
import type { Aim } from '../support/differential/aimed-entries';

/** Programs whose packets cannot be compared at random, and why. */
export const SKIPPED: ReadonlyMap<string, string> = new Map([
  ['act_log_assert', 'a false assertion ends bmv2'],
  ['act_random', 'sends random numbers'],
  ['digest', 'is about messages, not packets'],
  ['expr_stack_index', 'an index behind the stack ends bmv2'],
  ['meter_bytes_direct', 'depends on the time between packets'],
  ['meter_packets', 'depends on the time between packets'],
  ['queue_depth', 'depends on the time between packets'],
  ['timestamps', 'sends the time'],
]);

/**
 * Programs that read headers of packets too short for them: bmv2 then reads what an earlier packet
 * left there, the embedded switch zero (docs/deviations.md). They get only packets that parse.
 */
export const UNPARSED_LEFT_OUT: ReadonlySet<string> = new Set([
  'act_copies',
  'act_drop',
  'act_headers',
  'act_push_pop',
  'act_truncate',
  'clone_egress',
  'clone_ingress',
  'control_flow',
  'multicast',
  'packet_length',
  'path_order',
  'recirculate',
  'registers',
  'resubmit',
]);

const mirror = (session: number, port: number): StfRequest => ({
  kind: 'mirror',
  session,
  to: { port },
});

const multicastGroup = (group: number, ports: readonly number[]): StfRequest[] => [
  { kind: 'mc-group-create', group },
  { kind: 'mc-node-create', rid: 9, ports },
  { kind: 'mc-node-associate', group, node: 0 },
];

const REPLICATION: ReadonlyMap<string, readonly StfRequest[]> = new Map([
  ['clone_egress', [mirror(8, 3)]],
  ['clone_ingress', [mirror(5, 2)]],
  ['multicast', multicastGroup(1, [1, 2, 3])],
  ['path_order', [mirror(4, 2), mirror(5, 3), ...multicastGroup(1, [1])]],
]);

/** hpcc.p4 forwards nothing without a route and pushes nothing without a port record. */
function hpccRequests(program: Program): StfRequest[] {
  const call = (action: string, ...values: readonly bigint[]): NamedCall => {
    const found = [...program.actions.values()].find(({ name }) => name === action);
    if (found === undefined) throw new Error(`hpcc.p4 has no action ${action}`);
    return { action, actionId: found.id, arguments: values };
  };
  const toHost = call('ingress.route.forward', 2n, 0x020100000002n, 0x020000070002n);
  const record = call('egress.port.set_port_record', 7n, 1000n, 1106n, 1000n, 1500n, 1n);
  return [
    { kind: 'create-member', profile: 'ingress.route.ecmp', call: toHost },
    {
      kind: 'add-entry',
      entry: {
        table: 'ingress.route.ipv4_route',
        key: [{ kind: 'lpm', value: 0x0a000002n, prefixLength: 32 }],
        priority: 0,
      },
      target: { kind: 'member', handle: 0 },
    },
    {
      kind: 'add-entry',
      entry: {
        table: 'egress.port.port_record',
        key: [{ kind: 'exact', value: 2n }],
        priority: 0,
      },
      target: { kind: 'call', ...record },
    },
  ];
}

/** Requests that the program needs so that packets leave: clone sessions, multicast groups, a route. */
const fixedRequests = (name: string, program: Program): readonly StfRequest[] =>
  name === 'hpcc' ? hpccRequests(program) : (REPLICATION.get(name) ?? []);

/** Requests that the program needs, and random entries for packets like these. */
export function requestsFor(
  name: string,
  { program, packets, random }: Omit<Aim, 'present'>,
): StfRequest[] {
  const present = fixedRequests(name, program);
  const drawn = randomEntryRequests(program, random);
  return [...present, ...aimEntries(drawn, { program, packets, random, present })];
}

/** A random packet for the program, of any length but 0. */
export function packetFor(name: string, program: Program, random: Random): Uint8Array {
  // Random bytes hardly ever have a checksum that hpcc.p4 takes.
  const isRandom = name !== 'hpcc' || random.below(4) === 0;
  const bytes = isRandom ? randomPacket(program, random) : mutatedPacket(random);
  return bytes.length > 0 ? bytes : Uint8Array.of(0);
}
