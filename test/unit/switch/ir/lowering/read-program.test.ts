import { readProgram } from '../../../../../switch/ir/lowering/read-program';
import { ACCEPT } from '../../../../../switch/ir/parser-nodes';
import { END } from '../../../../../switch/ir/nodes';
import {
  assign,
  choose,
  field,
  header,
  hex,
  local,
  op,
  primitive,
  unary,
} from '../../support/json-values';
import { acceptState, alwaysRun, extract, programText, selectState } from '../../support/program';
import type { Program } from '../../../../../switch/ir/nodes';
import type { Operand } from '../../support/json-values';
import type { ActionSpec, ProgramSpec } from '../../support/program';

const SPEC: ProgramSpec = {
  metadata: [['byte', 8]],
  types: {
    tag_t: [
      ['a', 3],
      ['b', 13, true],
      ['c', 8, false, true],
    ],
  },
  headers: [['tag', 'tag_t']],
  stacks: [['s', 'tag_t', 2]],
};

const read = (spec: ProgramSpec): Program => readProgram(programText({ ...SPEC, ...spec }));

/** The only statement of an action that assigns the value to `m.byte`. */
function lowered(value: Operand): unknown {
  const program = read({
    ingress: alwaysRun({ id: 1, name: 'a', body: [assign('m.byte', value)] }),
  });
  const statement = program.actions.get(1)?.statements[0];
  return statement?.kind === 'assign' ? statement.value : undefined;
}

describe('headers', () => {
  const program = read({});
  const tag = program.headers.find(({ name }) => name === 'tag');

  test('get their layout from their type', () => {
    expect(tag).toMatchObject({ typeName: 'tag_t', metadata: false, byteLength: 3 });
    expect(tag?.fields.map((f) => [f.name, f.bitOffset, f.width])).toEqual([
      ['a', 0, 3],
      ['b', 3, 13],
      ['c', 16, 8],
    ]);
    expect(tag?.fields.map((f) => [f.signed, f.saturating])).toEqual([
      [false, false],
      [true, false],
      [false, true],
    ]);
  });

  test('have slots of their own, one behind the other', () => {
    const slots = program.headers.flatMap((h) => h.fields.map((f) => f.slot));
    expect(slots).toEqual(slots.map((_, i) => i));
    expect(program.slots).toBe(slots.length);
    expect(program.headers.map((h) => h.index)).toEqual(program.headers.map((_, i) => i));
  });

  test('are elements of stacks in the order of their ids', () => {
    const names = program.stacks[0]?.headers.map((i) => program.headers[i]?.name);
    expect(names).toEqual(['s[0]', 's[1]']);
  });

  test('have fields that aliases name as well', () => {
    const alias = program.fields.get('queueing_metadata.deq_qdepth');
    expect(alias).toBe(program.fields.get('standard_metadata.deq_qdepth'));
  });

  test('are emitted in the order of the deparser, stacks element by element', () => {
    const order = read({ order: ['s', 'tag'] }).deparserOrder;
    expect(order.map((i) => read({}).headers[i]?.name)).toEqual(['s[0]', 's[1]', 'tag']);
  });
});

describe('expressions', () => {
  const slot = read({}).fields.get('m.byte')?.slot;

  test('lose their wrapping', () => {
    const wrapped = { type: 'expression', value: { type: 'expression', value: hex(5) } };
    expect(lowered(wrapped)).toEqual({ kind: 'constant', value: 5n });
  });

  test('refer to fields by slot', () => {
    expect(lowered(field('m.byte'))).toEqual({ kind: 'field', slot });
  });

  test('may have negative constants', () => {
    expect(lowered(hex(-5))).toEqual({ kind: 'constant', value: -5n });
  });

  test('keep their structure', () => {
    const condition = op('>', field('m.byte'), hex(3));
    expect(lowered(choose(condition, hex(1), unary('~', hex(2))))).toEqual({
      kind: 'conditional',
      condition: {
        kind: 'compare',
        operator: '>',
        left: { kind: 'field', slot },
        right: { kind: 'constant', value: 3n },
      },
      whenTrue: { kind: 'constant', value: 1n },
      whenFalse: { kind: 'complement', operand: { kind: 'constant', value: 2n } },
    });
  });

  test('read truth values as numbers where a number is wanted', () => {
    const valid = unary('valid', header('tag'));
    expect(lowered(valid)).toMatchObject({ kind: 'boolean-to-data', operand: { kind: 'valid' } });
  });
});

describe('the parser', () => {
  test('refers to states by position and to its end by ACCEPT', () => {
    const { parserStart, parserStates } = read({
      states: [
        acceptState('other', [extract('tag')]),
        selectState(
          'start',
          [],
          [field('tag.a')],
          [
            ['0x01', 'other'],
            ['0xff', null, '0x05'],
            ['default', 'start'],
          ],
        ),
      ],
    });
    expect(parserStart).toBe(1);
    expect(parserStates[0]).toMatchObject({ name: 'other', transitions: [], defaultNext: ACCEPT });
    expect(parserStates[1]).toMatchObject({
      transitions: [
        { value: 1n, mask: undefined, next: 0 },
        { value: 5n, mask: 5n, next: ACCEPT },
      ],
      defaultNext: 1,
    });
  });

  test('knows its errors by name', () => {
    expect(read({}).errors.get('PacketTooShort')).toBe(1);
  });
});

describe('controls', () => {
  const first: ActionSpec = { id: 1, name: 'same', body: [primitive('exit')] };
  const second: ActionSpec = { id: 2, name: 'same' };
  const program = read({
    ingress: {
      start: 't',
      tables: [
        { name: 't', actions: [first], next: { same: 'u' } },
        { name: 'u', actions: [second], next: { __HIT__: 'c', __MISS__: null } },
      ],
      conditionals: [
        { name: 'c', expression: op('==', hex(1), hex(1)), true_next: null, false_next: null },
      ],
    },
    egress: { start: 'v', tables: [{ name: 'v', actions: [{ id: 3, name: 'last' }] }] },
  });

  test('number their tables through and link their nodes by position', () => {
    expect(program.tables.map((table) => table.name)).toEqual(['t', 'u', 'v']);
    expect(program.ingress.start).toBe(0);
    expect(program.ingress.nodes.map((node) => node.kind)).toEqual([
      'table',
      'table',
      'conditional',
    ]);
    expect(program.ingress.nodes[1]).toMatchObject({
      table: 1,
      next: { kind: 'hit-or-miss', hit: 2, miss: END },
    });
    expect(program.egress.nodes[0]).toMatchObject({ table: 2 });
    expect(program.ingress.nodes[2]).toMatchObject({ whenTrue: END, whenFalse: END });
  });

  test('find the next node by the name of the action, whichever copy of it ran', () => {
    expect(program.ingress.nodes[0]).toMatchObject({
      next: {
        kind: 'by-action',
        byAction: new Map([
          [1, 1],
          [2, 1],
        ]),
        otherwise: END,
      },
    });
  });

  test('keep actions of one name apart by their ids', () => {
    expect(program.actions.get(1)?.statements).toEqual([{ kind: 'exit' }]);
    expect(program.actions.get(2)?.statements).toEqual([]);
  });

  test('may be empty', () => {
    expect(read({}).ingress).toMatchObject({ start: END, nodes: [] });
  });
});

describe('actions', () => {
  test('know their parameters and count jumps in statements', () => {
    const body = [primitive('_jump_if_zero', local(0), hex(2)), primitive('exit')];
    const parameters = [['flag', 1]] as const;
    const action = read({ actions: [{ id: 5, name: 'a', parameters, body }] }).actions.get(5);
    expect(action?.parameters).toEqual([{ name: 'flag', width: 1 }]);
    expect(action?.statements[0]).toEqual({
      kind: 'jump-if-false',
      condition: { kind: 'data-to-boolean', operand: { kind: 'argument', index: 0 } },
      to: 2,
    });
  });
});

describe('checksums', () => {
  test('are verified, updated or both', () => {
    const base = { target: ['tag', 'c'], type: 'generic', calculation: 'sum' };
    const program = read({
      extra: {
        calculations: [{ name: 'sum', id: 0, algo: 'crc16_custom', input: [] }],
        checksums: [
          { ...base, name: 'both' },
          { ...base, name: 'verified', update: false },
          { ...base, name: 'updated', verify: false },
        ],
      },
    });
    expect(program.verifiedChecksums.map((c) => c.name)).toEqual(['both', 'verified']);
    expect(program.updatedChecksums.map((c) => c.name)).toEqual(['both', 'updated']);
    expect(program.calculations[0]?.algorithm).toBe('crc16_custom');
  });
});
