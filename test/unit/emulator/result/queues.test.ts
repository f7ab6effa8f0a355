import { queuesRecord } from '../../../../emulator/result/queues';

const pairs = (...values: number[]): Uint32Array => Uint32Array.from(values);

test('is the queue that 99 % of the samples of all ports do not exceed', () => {
  const one = { pairs: pairs(3, 400, 5, 100, 7, 300), count: 100 };
  const other = { pairs: pairs(), count: 100 };
  // Of 200 samples the 198th in order: two are longer.
  expect(queuesRecord([one, other])).toEqual({ p99Bytes: 100 });
  expect(queuesRecord([one])).toEqual({ p99Bytes: 300 });
});

test('is nothing where hardly anything waits, and leaves out what comes after the last transmission', () => {
  expect(queuesRecord([{ pairs: pairs(3, 400), count: 100 }])).toEqual({ p99Bytes: 0 });
  expect(queuesRecord([{ pairs: pairs(3, 400, 10, 900), count: 10 }])).toEqual({ p99Bytes: 400 });
});

test('is undefined without switches', () => {
  expect(queuesRecord([])).toBeUndefined();
});
