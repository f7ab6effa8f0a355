import { assign, field, header, hex, local, op, primitive } from './json-values';
import { acceptState, extract, selectState } from './program';
import type { Primitive } from './json-values';
import type { FieldSpec, ProgramSpec } from './program';

/**
 * A transit switch for INT-MD over UDP in the profile "HP": it routes by longest prefix, and in
 * egress pushes 32 bytes of telemetry in front of those of earlier hops.
 *
 *   Ethernet | IPv4 | UDP | shim 4 | INT-MD 12 | own block 32 | earlier blocks ...
 */
const TYPES: Readonly<Record<string, readonly FieldSpec[]>> = {
  ethernet_t: [
    ['dst', 48],
    ['src', 48],
    ['type', 16],
  ],
  ipv4_t: [
    ['version', 4],
    ['ihl', 4],
    ['dscp', 6],
    ['ecn', 2],
    ['total_length', 16],
    ['identification', 16],
    ['flags', 3],
    ['offset', 13],
    ['ttl', 8],
    ['protocol', 8],
    ['checksum', 16],
    ['src', 32],
    ['dst', 32],
  ],
  udp_t: [
    ['src_port', 16],
    ['dst_port', 16],
    ['length', 16],
    ['checksum', 16],
  ],
  shim_t: [
    ['type', 4],
    ['npt', 2],
    ['reserved', 2],
    ['length', 8],
    ['npt_specific', 16],
  ],
  md_t: [
    ['version', 4],
    ['discard', 1],
    ['exceeded', 1],
    ['mtu', 1],
    ['reserved', 12],
    ['hop_ml', 5],
    ['remaining', 8],
    ['bitmap', 16],
    ['domain', 16],
    ['ds_instruction', 16],
    ['ds_flags', 16],
  ],
  hop_t: [
    ['node', 32],
    ['ingress', 16],
    ['egress', 16],
    ['queue', 8],
    ['occupancy', 24],
    ['timestamp', 64],
    ['tx_bytes', 64],
    ['capacity', 32],
  ],
};

const INT_PORT = '0xc350';

const low = (width: number, value: ReturnType<typeof op>): ReturnType<typeof op> =>
  op('&', value, hex((1n << BigInt(width)) - 1n));
const add = (name: string, amount: number, width: number): Primitive =>
  assign(name, low(width, op('+', field(name), hex(amount))));
const registers = { type: 'register_array', value: 'tx_bytes' };
const egressPort = field('standard_metadata.egress_port');

/** Counts the port's bytes before this packet, as every packet does. */
const account: readonly Primitive[] = [
  primitive('register_read', field('m.tx_bytes'), registers, egressPort),
  primitive(
    'register_write',
    registers,
    egressPort,
    op('+', field('m.tx_bytes'), field('standard_metadata.packet_length')),
  ),
];

/** The parameters are node, queue, origin of time (ns) and link capacity (Mb/s). */
const push: readonly Primitive[] = [
  primitive('add_header', header('hop')),
  assign('hop.node', local(0)),
  assign('hop.ingress', field('standard_metadata.ingress_port')),
  assign('hop.egress', egressPort),
  assign('hop.queue', local(1)),
  assign('hop.occupancy', field('standard_metadata.deq_qdepth')),
  assign(
    'hop.timestamp',
    low(64, op('+', local(2), field('standard_metadata.egress_global_timestamp'))),
  ),
  assign('hop.tx_bytes', field('m.tx_bytes')),
  assign('hop.capacity', local(3)),
  add('md.remaining', -1, 8),
  add('shim.length', 8, 8),
  add('udp.length', 32, 16),
  add('ipv4.total_length', 32, 16),
];

const pushes = op(
  'and',
  op('==', field('md.$valid$'), hex(1)),
  op('!=', field('md.remaining'), hex(0)),
);

const summed = (TYPES.ipv4_t ?? []).filter(([name]) => name !== 'checksum');
const ipv4IsValid = op('==', field('ipv4.$valid$'), hex(1));

export const INT_TRANSIT: ProgramSpec = {
  metadata: [['tx_bytes', 64]],
  types: TYPES,
  headers: [
    ['ethernet', 'ethernet_t'],
    ['ipv4', 'ipv4_t'],
    ['udp', 'udp_t'],
    ['shim', 'shim_t'],
    ['md', 'md_t'],
    ['hop', 'hop_t'],
  ],
  states: [
    selectState('start', [extract('ethernet')], [field('ethernet.type')], [['0x0800', 'ipv4']]),
    selectState('ipv4', [extract('ipv4')], [field('ipv4.protocol')], [['0x11', 'udp']]),
    selectState('udp', [extract('udp')], [field('udp.dst_port')], [[INT_PORT, 'int']]),
    acceptState('int', [extract('shim'), extract('md')]),
  ],
  ingress: {
    start: 'route',
    tables: [
      {
        name: 'route',
        key: [['lpm', 'ipv4.dst']],
        matchType: 'lpm',
        actions: [
          {
            id: 1,
            name: 'forward',
            parameters: [['port', 9]],
            body: [assign('standard_metadata.egress_spec', local(0)), add('ipv4.ttl', -1, 8)],
          },
          {
            id: 2,
            name: 'drop',
            body: [primitive('mark_to_drop', header('standard_metadata'))],
          },
        ],
        defaultAction: [2],
      },
    ],
  },
  egress: {
    start: 'account',
    tables: [
      {
        name: 'account',
        actions: [{ id: 3, name: 'account', body: account }],
        defaultAction: [3],
        baseNext: 'has_int',
      },
      {
        name: 'port',
        key: [['exact', 'standard_metadata.egress_port']],
        actions: [
          {
            id: 4,
            name: 'push',
            parameters: [
              ['node', 32],
              ['queue', 8],
              ['origin', 64],
              ['capacity', 32],
            ],
            body: push,
          },
          { id: 5, name: 'pass' },
        ],
        defaultAction: [5],
      },
    ],
    conditionals: [{ name: 'has_int', expression: pushes, true_next: 'port', false_next: null }],
  },
  extra: {
    register_arrays: [{ name: 'tx_bytes', id: 0, size: 512, bitwidth: 64 }],
    calculations: [
      {
        name: 'sum',
        id: 0,
        algo: 'csum16',
        input: summed.map(([name]) => ({ type: 'field', value: ['ipv4', name] })),
      },
    ],
    checksums: [
      {
        name: 'ipv4',
        id: 0,
        target: ['ipv4', 'checksum'],
        type: 'generic',
        calculation: 'sum',
        verify: true,
        update: true,
        if_cond: ipv4IsValid,
      },
    ],
  },
};
