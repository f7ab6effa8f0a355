import { generatedExecutors } from '../../../../switch/codegen/generated-executor';
import { createInterpreter } from '../../../../switch/interpreter/interpreter';
import { readProgram } from '../../../../switch/ir/lowering/read-program';
import {
  findStandardMetadata,
  saturating,
  setWrapping,
} from '../../../../switch/v1model/standard-metadata';
import { programObject, programText } from '../support/program';
import { bench } from '../support/run';

describe('standard metadata', () => {
  test('is found by name with the width of its fields', () => {
    const found = findStandardMetadata(readProgram(programText()));
    expect(found.egress_spec.modulus).toBe(512);
    expect(found.deq_qdepth?.modulus).toBe(2 ** 19);
    expect(found.egress_global_timestamp?.modulus).toBe(2 ** 48);
  });

  test('is found by its alias first', () => {
    const metadata = [['depth', 24]] as const;
    const field_aliases = [['queueing_metadata.deq_qdepth', ['m', 'depth']]];
    const program = readProgram(programText({ metadata, extra: { field_aliases } }));
    const found = findStandardMetadata(program);
    expect(found.deq_qdepth?.modulus).toBe(2 ** 24);
    expect(found.deq_qdepth?.slot).toBe(program.fields.get('m.depth')?.slot);
  });

  test('may lack what only some programs read', () => {
    const fields = ['ingress_port', 'egress_spec', 'egress_port'].map((name) => [name, 9]);
    const types = programObject().header_types as { name: string; fields: unknown }[];
    const header_types = types.map((type) =>
      type.name === 'standard_metadata' ? { ...type, fields: [...fields, ['pad', 5]] } : type,
    );
    const extra = { header_types, field_aliases: [] };
    const found = findStandardMetadata(readProgram(programText({ extra })));
    expect(found.deq_qdepth).toBeUndefined();
    expect(found.ingress_port.modulus).toBe(512);
  });

  test('of a program for another architecture is an error', () => {
    const types = programObject().header_types as { name: string; fields: unknown }[];
    const header_types = types.map((type) =>
      type.name === 'standard_metadata' ? { ...type, fields: [['other', 8]] } : type,
    );
    const program = readProgram(programText({ extra: { header_types, field_aliases: [] } }));
    expect(() => findStandardMetadata(program)).toThrow(
      "wanted a v1model program, found none: no 'standard_metadata.ingress_port'",
    );
  });
});

describe.each([
  ['interpreter', createInterpreter],
  ['generated code', generatedExecutors()],
])('writing metadata (%s)', (_name, create) => {
  const { executor } = bench(create, {});
  const field = { slot: 1, modulus: 2 ** 19 };
  const written = (fields: Parameters<typeof executor.metadataWriter>[0], value: number) => {
    const state = executor.createState();
    executor.metadataWriter(fields).write(state, value, value);
    return state.readMetadata(1);
  };

  test.each([
    [0, 0],
    [2 ** 19 - 1, 2 ** 19 - 1],
    [2 ** 19, 0],
    [2 ** 20 + 5, 5],
  ])('%i wraps to %i', (value, kept) => {
    const state = executor.createState();
    setWrapping(state, field, value);
    expect(state.readMetadata(1)).toBe(kept);
    expect(executor.metadataReader(field).read(state)).toBe(kept);
    expect(written([field], value)).toBe(kept);
  });

  test.each([
    [7, 7],
    [2 ** 19, 2 ** 19 - 1],
    [10 ** 9, 2 ** 19 - 1],
  ])('%i saturates to %i', (value, kept) => {
    expect(written([saturating(field)], value)).toBe(kept);
  });

  test('a field that the program lacks is left out', () => {
    const state = executor.createState();
    expect(() => setWrapping(state, undefined, 5)).not.toThrow();
    expect(written([undefined, saturating(undefined)], 5)).toBe(0);
    expect(written([undefined, field], 5)).toBe(5);
    expect(executor.metadataReader(undefined).read(state)).toBe(0);
  });
});
