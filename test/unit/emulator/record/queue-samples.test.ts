import * as fc from 'fast-check';
import { allSamples, QueueSamples } from '../../../../emulator/record/queue-samples';

describe('samples of a queue', () => {
  test('are 0 where nothing was noted', () => {
    const samples = new QueueSamples();
    samples.add(1, 1090);
    samples.add(4, 4_000_000_000);
    expect(allSamples(samples.pairs, 6)).toEqual([0, 1090, 0, 0, 4_000_000_000, 0]);
    expect(allSamples(new QueueSamples().pairs, 3)).toEqual([0, 0, 0]);
  });

  test('end where the run has ended', () => {
    const samples = new QueueSamples();
    samples.add(1, 1090);
    samples.add(2, 2180);
    expect(allSamples(samples.pairs, 2)).toEqual([0, 1090]);
  });

  test('are halved by the longer one of two neighbours', () => {
    const samples = new QueueSamples();
    for (const [i, bytes] of [
      [0, 7],
      [1, 9],
      [3, 5],
      [6, 8],
    ] as const)
      samples.add(i, bytes);
    samples.halve();
    samples.add(3, 2);
    samples.add(4, 6);
    expect(allSamples(samples.pairs, 5)).toEqual([9, 5, 0, 8, 6]);
  });

  test('come back as they were, however many', () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 400 });
    fc.assert(
      fc.property(lengths, (list) => {
        const samples = new QueueSamples();
        list.forEach((bytes, i) => {
          if (bytes > 0) samples.add(i, bytes);
        });
        expect(allSamples(samples.pairs, list.length)).toEqual(list);
      }),
    );
  });
});
