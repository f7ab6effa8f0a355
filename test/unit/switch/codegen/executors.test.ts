import { CompiledTexts } from '../../../../switch/codegen/compile';
import { executorFactory, EXECUTORS } from '../../../../switch/codegen/executors';
import { DEFAULT_EXECUTOR } from '../../../../switch/codegen/executor-names';
import { createInterpreter } from '../../../../switch/interpreter/interpreter';
import { GeneratedPacket } from '../../../../switch/codegen/runtime/generated-packet';
import { bench } from '../support/run';
import type { GeneratedFunctions } from '../../../../switch/codegen/compile';
import type { ExecutorFactory } from '../../../../switch/executor/executor';

const isGenerated = (factory: ExecutorFactory | undefined): boolean => {
  if (factory === undefined) throw new Error('no such executor');
  return bench(factory, {}).executor.createState() instanceof GeneratedPacket;
};

/** Counts how often a text is wanted, and how often it has to be compiled. */
class CountingTexts extends CompiledTexts {
  asked = 0;
  compiled = 0;

  override functions(text: string, compile: () => GeneratedFunctions): GeneratedFunctions {
    this.asked += 1;
    return super.functions(text, () => {
      this.compiled += 1;
      return compile();
    });
  }
}

test('generated code is the default, and the interpreter the other', () => {
  expect(isGenerated(executorFactory(DEFAULT_EXECUTOR))).toBe(true);
  expect(executorFactory('interpreter')).toBe(createInterpreter);
  expect([...EXECUTORS.keys()].sort()).toEqual(['generated', 'interpreter']);
  expect(isGenerated(EXECUTORS.get('generated'))).toBe(true);
  expect(isGenerated(EXECUTORS.get('interpreter'))).toBe(false);
});

test('equal texts are compiled once, by whoever keeps them', () => {
  const [texts, compiled] = [new CompiledTexts(), [] as string[]];
  const compile = (text: string) => (): GeneratedFunctions => {
    compiled.push(text);
    return {} as GeneratedFunctions;
  };
  const first = texts.functions('a', compile('a'));
  expect(texts.functions('a', compile('a'))).toBe(first);
  expect(texts.functions('b', compile('b'))).not.toBe(first);
  expect(compiled).toEqual(['a', 'b']);

  const shared = new CountingTexts();
  const factory = executorFactory('generated', { compiled: shared });
  bench(factory, {});
  bench(factory, {});
  expect([shared.asked, shared.compiled]).toEqual([2, 1]);
});
