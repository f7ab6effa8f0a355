import { compileText } from '../../../../switch/codegen/compile';
import { generatedExecutors } from '../../../../switch/codegen/generated-executor';
import { generate } from '../../../../switch/codegen/generate';
import { readProgram } from '../../../../switch/ir/lowering/read-program';
import { ReusedBytes } from '../../../../switch/v1model/pipeline';
import { bench } from '../support/run';
import { acceptState, extract, programText } from '../support/program';
import type { ProgramSpec } from '../support/program';

const BYTE: ProgramSpec = {
  types: { byte_t: [['value', 8]] },
  headers: [['byte', 'byte_t']],
  states: [acceptState('start', [extract('byte')])],
};

describe('a generated executor', () => {
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
    const error = errorOf(() => compileText('broken.p4', 'return {', keep));
    expect(error).toHaveProperty('name', 'GeneratedCodeError');
    expect(String(error)).toContain('broken.p4');
    expect(String(error)).toMatch(/; the text is in \/kept\/here.js$/);
    expect(error).toHaveProperty('cause.name', 'SyntaxError');
    expect(kept).toEqual(['broken.p4', 'return {']);
  });

  test('is an error without anyone to keep it, too', () => {
    expect(() => compileText('broken.p4', 'return {')).toThrow(
      /^the code generated for broken.p4 does not compile: SyntaxError: [^;]*$/,
    );
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
