import { Limits } from '../../../../../switch/server/limits/limits';
import { Turns } from '../../../../../switch/server/turns/turns';
import { RequestQueue } from '../../../../../switch/server/device';

describe('a line of callers', () => {
  test('lets the answer to one leave before it serves the next', async () => {
    const limits = new Limits();
    const due: (() => void)[] = [];
    const turns = new Turns({ now: () => 0, soon: (resume) => due.push(resume) });
    const options = { atOnce: 1, waiting: 'writes-waiting', what: 'Writes' } as const;
    const line = new RequestQueue({ ...options, limits, turns });
    const log: string[] = [];
    const serve = (name: string): Promise<void> =>
      line
        .serve(() => Promise.resolve(log.push(`served ${name}`)))
        .then(() => void log.push(`answered ${name}`));
    const both = [serve('a'), serve('b')];
    await both[0];
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(['served a', 'answered a']);
    due.shift()?.();
    await both[1];
    expect(log).toEqual(['served a', 'answered a', 'served b', 'answered b']);
  });
});
