import { assign, field, header, hex, local, op, primitive } from '../support/json-values';
import { acceptState, alwaysRun, extract, selectState } from '../support/program';
import type { ProgramSpec } from '../support/program';

const LABEL = { label_t: [['label', 15] as const, ['bottom', 1] as const] };

/** A parser that loops over a stack of labels until the bottom of it. */
const parserLoop: ProgramSpec = {
  types: LABEL,
  stacks: [['labels', 'label_t', 3]],
  states: [
    selectState(
      'start',
      [{ op: 'extract', parameters: [{ type: 'stack', value: 'labels' }] }],
      [{ type: 'stack_field', value: ['labels', 'bottom'] }],
      [
        ['0x00', 'start'],
        ['default', null],
      ],
    ),
  ],
};

/** A route by longest prefix, with a counted hit and a default. */
const lpm: ProgramSpec = {
  types: { address_t: [['address', 32]] },
  headers: [['ip', 'address_t']],
  states: [acceptState('start', [extract('ip')])],
  ingress: {
    start: 'route',
    tables: [
      {
        name: 'route',
        key: [['lpm', 'ip.address']],
        matchType: 'lpm',
        actions: [
          {
            id: 1,
            name: 'forward',
            parameters: [['port', 9]],
            body: [assign('standard_metadata.egress_spec', local(0))],
          },
          { id: 2, name: 'drop', body: [primitive('mark_to_drop', header('standard_metadata'))] },
        ],
        defaultAction: [2],
        extra: { with_counters: true },
      },
    ],
  },
};

const totals = { type: 'register_array', value: 'totals' };
const port = field('standard_metadata.ingress_port');

/** A 64-bit byte counter per port: read, add, write. */
const registerCounter: ProgramSpec = {
  metadata: [['total', 64]],
  ingress: alwaysRun({
    id: 1,
    name: 'account',
    body: [
      primitive('register_read', field('m.total'), totals, port),
      assign(
        'm.total',
        op(
          '&',
          op('+', field('m.total'), field('standard_metadata.packet_length')),
          hex(2n ** 64n - 1n),
        ),
      ),
      primitive('register_write', totals, port, field('m.total')),
    ],
  }),
  extra: { register_arrays: [{ name: 'totals', id: 0, size: 512, bitwidth: 64 }] },
};

const subtract = (name: string, amount: number, width: number) =>
  assign(name, op('&', op('-', field(name), hex(amount)), hex(2 ** width - 1)));

/** One hop of telemetry behind its instruction header. */
const intPush: ProgramSpec = {
  types: {
    md_t: [
      ['version', 4],
      ['reserved', 4],
      ['remaining', 8],
    ],
    hop_t: [
      ['node', 32],
      ['queue', 24],
      ['timestamp', 64],
    ],
  },
  headers: [
    ['md', 'md_t'],
    ['hop', 'hop_t'],
  ],
  states: [acceptState('start', [extract('md')])],
  egress: {
    start: 'record',
    tables: [
      {
        name: 'record',
        key: [['exact', 'standard_metadata.egress_port']],
        actions: [
          {
            id: 1,
            name: 'push',
            parameters: [
              ['node', 32],
              ['origin', 64],
            ],
            body: [
              primitive('add_header', header('hop')),
              assign('hop.node', local(0)),
              assign('hop.queue', field('standard_metadata.deq_qdepth')),
              assign(
                'hop.timestamp',
                op('+', local(1), field('standard_metadata.egress_global_timestamp')),
              ),
              subtract('md.remaining', 1, 8),
            ],
          },
          { id: 2, name: 'pass' },
        ],
        defaultAction: [2],
      },
    ],
  },
};

/** Small programs whose generated code is kept for review. */
export const GOLDEN_PROGRAMS: Readonly<Record<string, ProgramSpec>> = {
  'parser-loop': parserLoop,
  lpm,
  'register-counter': registerCounter,
  'int-push': intPush,
};
