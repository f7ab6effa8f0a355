import { Random } from '../../common/random/random';
import { PS_PER_US } from '../../common/units/units';
import { assign, field, hex, primitive } from '../unit/switch/support/json-values';
import { acceptState, alwaysRun, extract, selectState } from '../unit/switch/support/program';
import { bench, readField, runAction, runPacket } from '../unit/switch/support/run';
import type { Bench } from '../unit/switch/support/run';
import type { Operand } from '../unit/switch/support/json-values';
import type { ProgramSpec } from '../unit/switch/support/program';
import type { ExecutorFactory } from '../../switch/executor/executor';

/** Value sets, meters and what p4c writes rarely mean the same in every executor. */
export function describeWholeLanguage(create: ExecutorFactory): void {
  describe('value sets', () => describeValueSets(create));
  describe('meters', () => describeMeters(create));
  describe('what p4c writes rarely', () => describeRarities(create));
}

function describeValueSets(create: ExecutorFactory): void {
  const SPEC: ProgramSpec = {
    metadata: [['trace', 8]],
    types: {
      tag_t: [
        ['x', 8],
        ['y', 8],
      ],
    },
    headers: [['tag', 'tag_t']],
    states: [
      {
        ...selectState('start', [extract('tag')], [field('tag.x'), field('tag.y')], []),
        transitions: [
          { type: 'parse_vset', value: 'vs', mask: null, next_state: 'member' },
          { type: 'hexstr', value: '0x0505', mask: null, next_state: 'member' },
          { type: 'default', value: null, mask: null, next_state: null },
        ],
      },
      acceptState('member', [{ op: 'set', parameters: [field('m.trace'), hex(1)] }]),
    ],
    extra: { parse_vsets: [{ name: 'vs', id: 0, compressed_bitwidth: 16, max_size: 4 }] },
  };
  const isMember = (made: Bench, x: number, y: number): boolean =>
    readField(made, runPacket(made, Uint8Array.of(x, y)).packet, 'm.trace') === 1;

  test('lead on for their members, part by part', () => {
    const made = bench(create, SPEC);
    expect(isMember(made, 1, 2)).toBe(false);
    made.state.valueSets.get('vs')?.add(0x0102n);
    expect(isMember(made, 1, 2)).toBe(true);
    expect(isMember(made, 2, 1)).toBe(false);
    made.state.valueSets.get('vs')?.setMembers([
      [
        { kind: 'range', low: 3n, high: 4n },
        { kind: 'ternary', value: 0x10n, mask: 0xf0n },
      ],
    ]);
    expect([isMember(made, 4, 0x1f), isMember(made, 5, 0x1f)]).toEqual([true, false]);
  });

  test('leave the transitions behind them alone', () => {
    expect(isMember(bench(create, SPEC), 5, 5)).toBe(true);
  });
}

function describeMeters(create: ExecutorFactory): void {
  const settings = { committedRate: 1e6, committedBurst: 1, peakRate: 1e6, peakBurst: 2 };
  const types = { tag_t: [['x', 8]] as const };
  const array = { name: 'm', id: 0, size: 2, rate_count: 2, type: 'packets', is_direct: false };
  const METER: Operand = { type: 'meter_array', value: 'm' };

  test('colour by the time that the architecture gives', () => {
    const body = [primitive('execute_meter', METER, field('tag.x'), field('m.colour'))];
    const made = bench(create, {
      metadata: [['colour', 8]],
      types,
      headers: [['tag', 'tag_t']],
      states: [acceptState('start', [extract('tag')])],
      ingress: alwaysRun({ id: 1, name: 'tested', body }),
      extra: { meter_arrays: [array] },
    });
    made.state.meters.get('m')?.configure(1, settings);
    const packet = made.executor.createState();
    const colour = (cell: number, now: number): number => {
      made.executor.reset(packet, { bytes: Uint8Array.of(cell), length: 1 });
      packet.now = now;
      made.executor.parse(packet);
      packet.writeMetadata(made.program.fields.get('m.colour')?.slot ?? 0, 9);
      made.executor.ingress(packet);
      return readField(made, packet, 'm.colour');
    };
    expect([colour(1, 0), colour(1, 0), colour(1, 0)]).toEqual([0, 1, 2]);
    expect([colour(1, PS_PER_US), colour(0, 0)]).toEqual([0, 0]);
    // There is no cell 2: the field keeps its value.
    expect(colour(2, 0)).toBe(9);
  });

  test('of entries colour before the action, on a hit only', () => {
    const set = { id: 1, name: 'copy', body: [assign('m.seen', field('m.colour'))] };
    const made = bench(create, {
      metadata: [
        ['colour', 8],
        ['seen', 8],
      ],
      types,
      headers: [['tag', 'tag_t']],
      states: [acceptState('start', [extract('tag')])],
      ingress: {
        start: 't',
        tables: [
          { name: 't', key: [['exact', 'tag.x']], actions: [set], extra: { direct_meters: 'm' } },
        ],
      },
      extra: {
        meter_arrays: [{ ...array, is_direct: true, binding: 't', result_target: ['m', 'colour'] }],
      },
    });
    const entry = { key: [{ kind: 'exact', value: 1n } as const], priority: 0 };
    const table = made.state.tables.get('t');
    table?.insert({ ...entry, action: { kind: 'call', call: { actionId: 1, arguments: [] } } });
    const seen = (): number => readField(made, runPacket(made, Uint8Array.of(1)).packet, 'm.seen');
    expect(seen()).toBe(0);
    table?.configureMeter(entry, settings);
    expect([seen(), seen(), seen()]).toEqual([0, 1, 2]);
    expect(readField(made, runPacket(made, Uint8Array.of(2)).packet, 'm.colour')).toBe(0);
  });
}

function describeRarities(create: ExecutorFactory): void {
  const SPEC: ProgramSpec = {
    metadata: [
      ['a', 8],
      ['b', 8],
    ],
    types: { tag_t: [['x', 8]] },
    headers: [['tag', 'tag_t']],
    states: [acceptState('start', [extract('tag')])],
  };

  test('an action call outside of tables runs its action and goes on', () => {
    const one = { id: 1, name: 'one', body: [assign('m.a', hex(1))] };
    const two = { id: 2, name: 'two', body: [assign('m.b', hex(2))] };
    const made = bench(create, {
      ...SPEC,
      actions: [one],
      ingress: {
        ...alwaysRun(two),
        start: 'call',
        extra: { action_calls: [{ name: 'call', id: 0, action_id: 1, next_node: 'run_two' }] },
      },
    });
    const { packet } = runPacket(made, Uint8Array.of(0));
    expect([readField(made, packet, 'm.a'), readField(made, packet, 'm.b')]).toEqual([1, 2]);
  });

  test('statements of the deparser run before the headers are emitted', () => {
    const primitives = [assign('tag.x', hex(9))];
    const deparsers = [{ name: 'd', id: 0, order: ['tag'], primitives }];
    const made = bench(create, { ...SPEC, extra: { deparsers } });
    expect([...runPacket(made, Uint8Array.of(1, 2)).bytes]).toEqual([9, 2]);
  });

  test.each([
    ['modify_field', [field('m.a'), hex(5)], 5],
    ['add_to_field', [field('m.a'), hex(5)], 12],
    ['subtract_from_field', [field('m.a'), hex(5)], 2],
    ['add', [field('m.a'), hex(5), hex(6)], 11],
    ['subtract', [field('m.a'), hex(6), hex(5)], 1],
    ['bit_and', [field('m.a'), hex(6), hex(3)], 2],
    ['bit_or', [field('m.a'), hex(6), hex(3)], 7],
    ['bit_xor', [field('m.a'), hex(6), hex(3)], 5],
    ['shift_left', [field('m.a'), hex(3), hex(2)], 12],
    ['shift_right', [field('m.a'), hex(12), hex(2)], 3],
  ])('the primitive %s of P4-14', (name, parameters, value) => {
    const body = [assign('m.a', hex(7)), primitive(name, ...parameters)];
    const { bench: made, packet } = runAction(create, body, SPEC);
    expect(readField(made, packet, 'm.a')).toBe(value);
  });

  test('random numbers come from the given generator, between their bounds', () => {
    const draw = primitive('modify_field_rng_uniform', field('m.a'), hex(3), hex(5));
    const json = { ...SPEC, ingress: alwaysRun({ id: 1, name: 'draw', body: [draw] }) };
    const { program, state } = bench(create, json);
    const draws = (seed: number): number[] => {
      const executor = create({ program, state, dropPort: 511, random: new Random(seed) });
      const made = { program, state, executor, logged: [] };
      return Array.from({ length: 30 }, () =>
        readField(made, runPacket(made, Uint8Array.of(0)).packet, 'm.a'),
      );
    };
    expect(new Set(draws(4))).toEqual(new Set([3, 4, 5]));
    expect(draws(4)).toEqual(draws(4));
  });

  test('a random number between bounds in the wrong order leaves its field alone', () => {
    const draw = primitive('modify_field_rng_uniform', field('m.a'), hex(5), hex(3));
    const { bench: made, packet } = runAction(create, [assign('m.a', hex(7)), draw], SPEC);
    expect(readField(made, packet, 'm.a')).toBe(7);
  });

  test.each(['xxh64', 'hash_ex', 'crc8_custom', 'crc64_custom', 'round_robin', 'toeplitz'])(
    'the hash %s is what the calculation of the program gives',
    (algo) => {
      const CALCULATION: Operand = { type: 'calculation', value: 'c' };
      const name = 'modify_field_with_hash_based_offset';
      const body = [primitive(name, field('m.a'), hex(1), CALCULATION, hex(100))];
      const input = [field('tag.x')];
      const made = bench(create, {
        ...SPEC,
        ingress: alwaysRun({ id: 1, name: 'hash', body }),
        extra: { calculations: [{ name: 'c', id: 0, algo, input }] },
      });
      const { packet } = runPacket(made, Uint8Array.of(0xab));
      const expected = bench(create, {
        ...SPEC,
        extra: { calculations: [{ name: 'c', id: 0, algo, input }] },
      })
        .state.hashes.get('c')
        ?.compute(Uint8Array.of(0xab));
      expect(readField(made, packet, 'm.a')).toBe(Number(1n + ((expected ?? 0n) % 100n)));
    },
  );
}
