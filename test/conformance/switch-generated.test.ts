import { GeneratedExecutor } from '../../switch/codegen/compile';
import { describeExecutor } from './switch';
import type { Executor, ExecutorOptions } from '../../switch/executor/executor';

const executors: GeneratedExecutor[] = [];

function createGenerated(options: ExecutorOptions): Executor {
  const executor = new GeneratedExecutor(options);
  executors.push(executor);
  return executor;
}

describeExecutor('generated code', createGenerated);

test('every program of the suite that saw packets ran as generated code', () => {
  const parsed = executors.map(({ parsedPackets }) => parsedPackets);
  expect(executors.length).toBeGreaterThan(50);
  expect(parsed.filter((packets) => packets > 0).length).toBeGreaterThan(50);
});
