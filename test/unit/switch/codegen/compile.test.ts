import {
  GeneratedCodeError,
  GeneratedExecutor,
  compile,
  generatedExecutors,
} from '../../../../switch/codegen/compile';
import { generate } from '../../../../switch/codegen/generate';
import { UnsupportedConstructError } from '../../../../switch/codegen/text/unsupported';
import { Interpreter } from '../../../../switch/interpreter/interpreter';
import { readProgram } from '../../../../switch/ir/lowering/read-program';
import { ReusedBytes } from '../../../../switch/v1model/reused-bytes';
import { bench, runPacket } from '../support/run';
import { acceptState, extract, programText } from '../support/program';
import type { ProgramSpec } from '../support/program';

const BYTE: ProgramSpec = {
  types: { byte_t: [['value', 8]] },
  headers: [['byte', 'byte_t']],
  states: [acceptState('start', [extract('byte')])],
};

/** A header with a varbit field that is extracted without a width, which p4c never writes. */
const BARE_VARBIT: ProgramSpec = {
  headers: [['options', 'options_t']],
  states: [acceptState('start', [extract('options')])],
  extra: {
    header_types: [
      ...(JSON.parse(programText()) as { header_types: object[] }).header_types,
      {
        name: 'options_t',
        id: 9,
        fields: [
          ['length', 8],
          ['data', '*'],
        ],
        max_length: 41,
      },
    ],
  },
};

describe('a generated executor', () => {
  test('counts the packets that generated code has parsed', () => {
    const executors: GeneratedExecutor[] = [];
    const made = bench((options) => {
      const executor = new GeneratedExecutor(options);
      executors.push(executor);
      return executor;
    }, BYTE);
    runPacket(made, Uint8Array.from([1]));
    runPacket(made, Uint8Array.from([2]));
    expect(executors.map(({ parsedPackets }) => parsedPackets)).toEqual([2]);
  });

  test('serves several packets at once', () => {
    const { executor } = bench(generatedExecutors(), BYTE);
    const packets = [1, 2].map((value) => {
      const packet = executor.createState();
      executor.reset(packet, { bytes: Uint8Array.from([value, 9]), length: 2 });
      executor.parse(packet);
      return packet;
    });
    expect(packets.map((packet) => [...executor.deparse(packet)])).toEqual([
      [1, 9],
      [2, 9],
    ]);
  });

  test('takes memory for the packet from whom the caller names, once', () => {
    const { executor } = bench(generatedExecutors(), BYTE);
    const memory = new ReusedBytes();
    const deparsed = [true, false].map((named) => {
      const packet = executor.createState();
      executor.reset(packet, { bytes: Uint8Array.from([3, 9]), length: 2 });
      executor.parse(packet);
      return executor.deparse(packet, named ? memory : undefined);
    });
    expect(deparsed.map((bytes) => [...bytes])).toEqual([
      [3, 9],
      [3, 9],
    ]);
    expect(deparsed.map(({ buffer }) => buffer === memory.view.buffer)).toEqual([true, false]);
  });

  test('gives way to the interpreter where a program uses what is not generated', () => {
    const program = readProgram(programText(BARE_VARBIT));
    expect(() => generate(program, 511)).toThrow(UnsupportedConstructError);
    expect(bench(generatedExecutors(), BARE_VARBIT).executor).toBeInstanceOf(Interpreter);
  });

  test('is the same text for the same program', () => {
    const texts = [1, 2].map(() => generate(readProgram(programText(BYTE)), 511).text);
    expect(texts[0]).toBe(texts[1]);
  });
});

describe('text that does not compile', () => {
  test('is kept, and the error tells where and for which program', () => {
    const kept: string[] = [];
    const keep = (name: string, text: string): string => {
      kept.push(name, text);
      return '/kept/here.js';
    };
    const error = errorOf(() => compile('broken.p4', 'return {', keep));
    expect(error).toBeInstanceOf(GeneratedCodeError);
    expect(String(error)).toContain('broken.p4');
    expect(String(error)).toContain('/kept/here.js');
    expect(kept).toEqual(['broken.p4', 'return {']);
  });

  test('is an error without anyone to keep it, too', () => {
    expect(() => compile('broken.p4', 'return {')).toThrow(GeneratedCodeError);
  });
});

function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
