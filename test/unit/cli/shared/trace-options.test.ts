import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { openTrace } from '../../../../cli/shared/trace-options';

test('a trace with workers is refused before its file is there', () => {
  const trace = path.join(os.tmpdir(), `hpcc-no-trace-${process.pid}`);
  const flags = { trace, traceMaxMb: 1, workers: 2 };
  expect(() => openTrace(flags)).toThrow(
    '--trace follows packets through the whole network, of which each of 2 workers has a part: ' +
      'use --workers 1',
  );
  expect(fs.existsSync(flags.trace)).toBe(false);
});

test.each([
  [{ traceFlows: '1' }, '--trace-flows, -ports, -from-us and -to-us need --trace'],
  [{ trace: '/nowhere/trace' }, 'cannot write the trace /nowhere/trace'],
  [{ trace: '/nowhere/trace', traceFlows: '1,x' }, "numbers from 1, and 'x' was given"],
  [{ trace: '/nowhere/trace', traceMaxMb: 0 }, '--trace-max-mb is above 0, not 0'],
])('%j is refused: %s', (flags, expected) => {
  expect(() => openTrace({ traceMaxMb: 1, workers: 1, ...flags })).toThrow(expected);
});

test('no trace is wanted unless it is named', () => {
  expect(openTrace({ traceMaxMb: 1, workers: 4 })).toBeUndefined();
});
