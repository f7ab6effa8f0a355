import { Reruns } from '../../../../../emulator/view/server/reruns';

/** A rerun that lasts until it is told to end, and notes that it began. */
function held() {
  const began: AbortSignal[] = [];
  let finish = (): void => undefined;
  const run = (signal: AbortSignal): Promise<string> => {
    began.push(signal);
    return new Promise((resolve, reject) => {
      finish = () => resolve('done');
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  };
  return { began, run, finish: () => finish() };
}

const client = () => new AbortController();
const turn = () => new Promise(setImmediate);

test('one run is repeated at a time, one waits, and a third is refused', async () => {
  const reruns = new Reruns();
  const [first, second] = [held(), held()];
  const one = reruns.take(client().signal, first.run);
  const two = reruns.take(client().signal, second.run);
  await expect(reruns.take(client().signal, held().run)).rejects.toThrow(
    'two runs are being repeated already',
  );
  await turn();
  expect([first.began.length, second.began.length]).toEqual([1, 0]);
  first.finish();
  expect(await one).toBe('done');
  await turn();
  second.finish();
  expect(await two).toBe('done');
});

test('a client that goes away ends its run, and one that waits never begins', async () => {
  const reruns = new Reruns();
  const [leaves, waits, last] = [client(), client(), held()];
  const waiting = held();
  const one = reruns.take(leaves.signal, held().run);
  const two = reruns.take(waits.signal, waiting.run);
  await turn();
  waits.abort();
  leaves.abort();
  await expect(one).rejects.toThrow('aborted');
  await expect(two).rejects.toThrow('aborted');
  expect(waiting.began).toEqual([]);
  const three = reruns.take(client().signal, last.run);
  await turn();
  last.finish();
  expect(await three).toBe('done');
});
