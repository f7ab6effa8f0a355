import { executorFactory } from '../../../../../switch/codegen/executors';
import { createInterpreter } from '../../../../../switch/interpreter/interpreter';
import { assign, local } from '../../support/json-values';
import { bench, runPacket } from '../../support/run';
import type { ActionSpec, ProgramSpec, TableSpec } from '../../support/program';

/** Fields in each of the forms in which code keeps numbers. */
const FIELDS = [
  ['narrow', 9],
  ['wide', 48],
  ['pair', 64],
  ['widest', 128],
] as const;

const ALL: ActionSpec = {
  id: 1,
  name: 'set_all',
  parameters: FIELDS,
  body: FIELDS.map(([name], i) => assign(`m.${name}`, local(i))),
};

const fixed = (name: string, next: string | null, values: readonly string[]): TableSpec => ({
  name,
  actions: [ALL],
  defaultAction: [ALL.id, ...values],
  baseNext: next,
  next: { set_all: next },
  extra: {
    default_entry: {
      action_id: ALL.id,
      action_const: true,
      action_data: values,
      action_entry_const: true,
    },
  },
});

/** Two tables that call the action with values of their own, so that it is a function. */
const program: ProgramSpec = {
  metadata: FIELDS,
  ingress: {
    start: 'first',
    tables: [
      fixed('first', 'second', ['0x1', '0x2', '0x3', '0x4']),
      fixed('second', null, [
        '0x1ff',
        '0x123456789abc',
        '0xfedcba9876543210',
        `0x${'f1'.repeat(16)}`,
      ]),
    ],
  },
};

test.each([
  ['interpreter', createInterpreter],
  ['generated code', executorFactory('generated')],
])('an action that several tables call has the values of its call (%s)', (_name, create) => {
  const made = bench(create, program);
  const { packet } = runPacket(made, new Uint8Array(0));
  const values = FIELDS.map(([name]) => {
    const slot = made.program.fields.get(`m.${name}`)?.slot ?? -1;
    return packet.readField(slot).toString(16);
  });
  expect(values).toEqual(['1ff', '123456789abc', 'fedcba9876543210', 'f1'.repeat(16)]);
});
