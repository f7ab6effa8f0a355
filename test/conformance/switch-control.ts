import { assign, field, hex, op, primitive, unary } from '../unit/switch/support/json-values';
import { acceptState, extract } from '../unit/switch/support/program';
import { bench, readField, runPacket } from '../unit/switch/support/run';
import type { Bench } from '../unit/switch/support/run';
import type {
  ActionSpec,
  ControlSpec,
  ProgramSpec,
  TableSpec,
} from '../unit/switch/support/program';
import type { KeyField } from '../../common/p4runtime/key-field';
import type { ExecutorFactory } from '../../switch/executor/executor';

/** Tables and conditionals lead the same way in every executor. */
export function describeControl(create: ExecutorFactory): void {
  const trace = (digit: number): ReturnType<typeof assign> =>
    assign('m.trace', op('+', op('*', field('m.trace'), hex(10)), hex(digit)));
  const action = (id: number): ActionSpec => ({ id, name: `a${id}`, body: [trace(id)] });
  const exiting: ActionSpec = { id: 9, name: 'a9', body: [primitive('exit'), trace(9)] };

  const SPEC: ProgramSpec = {
    metadata: [
      ['trace', 32],
      ['signed', 8, true],
    ],
    types: { tag_t: [['x', 8]] },
    headers: [['a', 'tag_t']],
    states: [acceptState('start', [extract('a')])],
  };

  /** A table on `a.x` without a default action. */
  const bareTable = (name: string, over: Partial<TableSpec> = {}): TableSpec => ({
    name,
    key: [['exact', 'a.x']],
    actions: [action(1), action(2), action(3), exiting],
    ...over,
  });

  /** A table on `a.x` of which misses run a2. */
  const table = (name: string, over: Partial<TableSpec> = {}): TableSpec => ({
    ...bareTable(name),
    defaultAction: [2],
    ...over,
  });

  const exact = (value: number): KeyField => ({ kind: 'exact', value: BigInt(value) });

  function insert(made: Bench, name: string, value: number, actionId: number): void {
    made.state.tables.get(name)?.insert({
      key: [exact(value)],
      priority: 0,
      action: { kind: 'call', call: { actionId, arguments: [] } },
    });
  }

  /** Returns the trace when every table has the entry `x == 1 -> a1`. */
  function traceOf(ingress: ControlSpec, x: number): number {
    const made = bench(create, { ...SPEC, ingress });
    for (const name of made.state.tables.keys()) insert(made, name, 1, 1);
    const { packet } = runPacket(made, Uint8Array.of(x));
    return readField(made, packet, 'm.trace');
  }

  describe('a table', () => {
    const single = (over: Partial<TableSpec> = {}): ControlSpec => ({
      start: 't',
      tables: [table('t', over)],
    });

    test('runs the action of the entry that matches, else its default', () => {
      expect(traceOf(single(), 1)).toBe(1);
      expect(traceOf(single(), 5)).toBe(2);
    });

    test('without a default action does nothing on a miss', () => {
      const bare = bareTable('t');
      const made = bench(create, { ...SPEC, ingress: { start: 't', tables: [bare] } });
      const { packet } = runPacket(made, Uint8Array.of(1));
      expect(readField(made, packet, 'm.trace')).toBe(0);
    });

    test('sees a field of an invalid header as 0, even when a value is stored', () => {
      const remove: ActionSpec = {
        id: 7,
        name: 'remove',
        body: [assign('a.x', hex(1)), primitive('remove_header', { type: 'header', value: 'a' })],
      };
      const first: TableSpec = { name: 'r', actions: [remove], defaultAction: [7], baseNext: 't' };
      const made = bench(create, { ...SPEC, ingress: { start: 'r', tables: [first, table('t')] } });
      insert(made, 't', 1, 1);
      insert(made, 't', 0, 3);
      const { packet } = runPacket(made, Uint8Array.of(1));
      expect(readField(made, packet, 'm.trace')).toBe(3);
    });

    test('applies the mask of its key before matching', () => {
      const masked = single({ key: [['exact', 'a.x', '0x0f']] });
      expect(traceOf(masked, 0xf1)).toBe(1);
    });

    test('can match on validity', () => {
      const made = bench(create, { ...SPEC, ingress: single({ key: [['exact', 'a.$valid$']] }) });
      insert(made, 't', 1, 3);
      const { packet } = runPacket(made, Uint8Array.of(77));
      expect(readField(made, packet, 'm.trace')).toBe(3);
      const { packet: short } = runPacket(made, new Uint8Array(0));
      expect(readField(made, short, 'm.trace')).toBe(2);
    });

    test('matches signed fields by their bits', () => {
      const set: ActionSpec = { id: 7, name: 'set', body: [assign('m.signed', hex(-1))] };
      const first: TableSpec = { name: 's', actions: [set], defaultAction: [7], baseNext: 't' };
      const second = table('t', { key: [['exact', 'm.signed']] });
      const made = bench(create, { ...SPEC, ingress: { start: 's', tables: [first, second] } });
      insert(made, 't', 0xff, 3);
      const { packet } = runPacket(made, Uint8Array.of(0));
      expect(readField(made, packet, 'm.trace')).toBe(3);
    });

    test('counts hits with the length at reception, and misses not at all', () => {
      const made = bench(create, { ...SPEC, ingress: single({ extra: { with_counters: true } }) });
      insert(made, 't', 1, 1);
      runPacket(made, Uint8Array.of(1), 100);
      runPacket(made, Uint8Array.of(1), 50);
      runPacket(made, Uint8Array.of(5), 70);
      const counter = made.state.tables.get('t')?.directCounter([exact(1)], 0);
      expect(counter).toEqual({ packets: 2, bytes: 150 });
    });
  });

  describe('the next node', () => {
    const chain = (next: Record<string, string | null>, baseNext: string | null): ControlSpec => ({
      start: 'first',
      tables: [
        table('first', { next, baseNext }),
        table('second', { actions: [action(3)], defaultAction: [3] }),
      ],
    });
    const traceChain = (control: ControlSpec, x: number): number => {
      const made = bench(create, { ...SPEC, ingress: control });
      insert(made, 'first', 1, 1);
      const { packet } = runPacket(made, Uint8Array.of(x));
      return readField(made, packet, 'm.trace');
    };

    test('depends on the action that ran', () => {
      const control = chain({ a1: 'second', a2: null }, null);
      expect(traceChain(control, 1)).toBe(13);
      expect(traceChain(control, 5)).toBe(2);
    });

    test('depends on hit or miss when the program asks for that', () => {
      expect(traceChain(chain({ __HIT__: 'second', __MISS__: null }, null), 1)).toBe(13);
      expect(traceChain(chain({ __HIT__: 'second', __MISS__: null }, null), 5)).toBe(2);
      expect(traceChain(chain({ __HIT__: null, __MISS__: 'second' }, null), 5)).toBe(23);
    });

    test('of a miss without default action is the base one', () => {
      const bare = bareTable('first', {
        next: { a1: null },
        baseNext: 'second',
      });
      const second: TableSpec = { name: 'second', actions: [action(3)], defaultAction: [3] };
      expect(traceChain({ start: 'first', tables: [bare, second] }, 5)).toBe(3);
    });

    test('exit ends the pipeline behind the action, and egress still runs', () => {
      const control = chain({ a9: 'second' }, null);
      const made = bench(create, {
        ...SPEC,
        ingress: control,
        egress: {
          start: 'last',
          tables: [{ name: 'last', actions: [action(4)], defaultAction: [4] }],
        },
      });
      insert(made, 'first', 1, 9);
      const { packet } = runPacket(made, Uint8Array.of(1));
      expect(readField(made, packet, 'm.trace')).toBe(94);
    });
  });

  describe('a conditional', () => {
    const control = (expression: object): ControlSpec => ({
      start: 'if',
      tables: [
        { name: 'yes', actions: [action(1)], defaultAction: [1] },
        { name: 'no', actions: [action(2)], defaultAction: [2] },
      ],
      conditionals: [{ name: 'if', id: 0, expression, true_next: 'yes', false_next: 'no' }],
    });
    const isOne = control(op('==', field('a.x'), hex(1)));

    test.each([
      [1, 1],
      [2, 2],
    ])('with x = %i goes to the table %i', (x, result) => {
      const made = bench(create, { ...SPEC, ingress: isOne });
      const { packet } = runPacket(made, Uint8Array.of(x));
      expect(readField(made, packet, 'm.trace')).toBe(result);
    });

    test('may ask for validity through data', () => {
      const made = bench(create, { ...SPEC, ingress: control(unary('d2b', field('a.$valid$'))) });
      const { packet } = runPacket(made, new Uint8Array(0));
      expect(readField(made, packet, 'm.trace')).toBe(2);
    });

    test('may end the pipeline', () => {
      const ends: ControlSpec = {
        ...isOne,
        conditionals: [
          {
            name: 'if',
            expression: op('==', field('a.x'), hex(1)),
            true_next: 'yes',
            false_next: null,
          },
        ],
      };
      const made = bench(create, { ...SPEC, ingress: ends });
      const { packet } = runPacket(made, Uint8Array.of(9));
      expect(readField(made, packet, 'm.trace')).toBe(0);
    });
  });

  describe('an indirect table', () => {
    const select: ActionSpec = {
      id: 1,
      name: 'select',
      parameters: [['port', 9]],
      body: [assign('m.trace', { type: 'runtime_data', value: 0 })],
    };
    const made = (): Bench =>
      bench(create, {
        ...SPEC,
        ingress: {
          start: 't',
          tables: [
            {
              name: 't',
              key: [['exact', 'standard_metadata.ingress_port']],
              type: 'indirect_ws',
              actions: [select],
              next: { select: null },
              extra: { action_profile: 'p' },
            },
          ],
          profiles: [
            {
              name: 'p',
              id: 0,
              max_size: 8,
              selector: { algo: 'identity', input: [{ type: 'field', value: ['a', 'x'] }] },
            },
          ],
        },
      });
    const call = (port: number): { actionId: number; arguments: bigint[] } => ({
      actionId: 1,
      arguments: [BigInt(port)],
    });
    const traced = (b: Bench, x: number): number =>
      readField(b, runPacket(b, Uint8Array.of(x)).packet, 'm.trace');

    test('runs the member of its entry, also after the member has changed', () => {
      const b = made();
      const profile = b.state.actionProfiles.get('p');
      profile?.insertMember(5, call(55));
      const action = { kind: 'member', memberId: 5 } as const;
      b.state.tables.get('t')?.insert({ key: [exact(0)], priority: 0, action });
      expect(traced(b, 0)).toBe(55);
      profile?.modifyMember(5, call(66));
      expect(traced(b, 0)).toBe(66);
    });

    test('lets the hash of the packet choose a member of the group', () => {
      const b = made();
      const profile = b.state.actionProfiles.get('p');
      [3, 1, 2].forEach((id) => profile?.insertMember(id, call(id * 10)));
      const members = [3, 1, 2].map((memberId) => ({ memberId, weight: memberId === 2 ? 2 : 1 }));
      profile?.insertGroup(7, members, 0);
      const action = { kind: 'group', groupId: 7 } as const;
      b.state.tables.get('t')?.insert({ key: [exact(0)], priority: 0, action });
      // Shares in ascending order of ids: 1, 2, 2, 3; the hash is x itself.
      expect([0, 1, 2, 3, 4, 7].map((x) => traced(b, x))).toEqual([10, 20, 20, 30, 10, 30]);
    });

    test('does nothing for an empty group', () => {
      const b = made();
      b.state.actionProfiles.get('p')?.insertGroup(7, [], 0);
      const action = { kind: 'group', groupId: 7 } as const;
      b.state.tables.get('t')?.insert({ key: [exact(0)], priority: 0, action });
      expect(traced(b, 3)).toBe(0);
    });
  });
}
