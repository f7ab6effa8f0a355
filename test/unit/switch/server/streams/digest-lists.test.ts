import * as fc from 'fast-check';
import { DigestLists } from '../../../../../switch/server/streams/digest-lists';
import type { SampleList } from '../../../../../switch/server/streams/digest-lists';
import type { DigestConfig } from '../../../../../switch/server/state/running-pipeline';

const MS = 1_000_000n;

function lists(config: Partial<DigestConfig> = {}): DigestLists {
  let last = 0n;
  const defaults = { maxTimeoutNs: 10n * MS, maxListSize: 0, ackTimeoutNs: 100n * MS };
  return new DigestLists({ ...defaults, ...config }, () => ++last);
}

const shown = (list: SampleList | undefined): string | undefined =>
  list && `${list.listId}: ${list.samples.map((each) => each.join(' ')).join(', ')}`;

describe('the lists of a digest', () => {
  test('a list leaves when it is full', () => {
    const digest = lists({ maxListSize: 2 });
    expect(digest.add(0n, [1n, 2n])).toBeUndefined();
    expect(shown(digest.add(5n, [3n, 4n]))).toBe('1: 1 2, 3 4');
    expect(digest.wakeup()).toBeUndefined();
  });

  test('a list leaves when its first sample has waited long enough', () => {
    const digest = lists();
    digest.add(0n, [1n]);
    digest.add(9n * MS, [2n]);
    expect(digest.wakeup()).toBe(10n * MS);
    expect(digest.poll(10n * MS - 1n)).toBeUndefined();
    expect(shown(digest.poll(10n * MS))).toBe('1: 1, 2');
    expect(digest.poll(20n * MS)).toBeUndefined();
  });

  test('without buffering every sample leaves at once', () => {
    const digest = lists({ maxTimeoutNs: 0n });
    expect(shown(digest.add(7n, [1n]))).toBe('1: 1');
    expect(shown(digest.add(7n, [2n]))).toBe('2: 2');
  });

  test('what waits already is not added again', () => {
    const digest = lists({ maxListSize: 2 });
    digest.add(0n, [1n]);
    expect(digest.add(1n, [1n])).toBeUndefined();
    expect(shown(digest.add(2n, [2n]))).toBe('1: 1, 2');
  });

  test('what was sent is left out until it is acknowledged', () => {
    const digest = lists({ maxListSize: 1 });
    expect(shown(digest.add(0n, [1n]))).toBe('1: 1');
    expect(digest.add(1n, [1n])).toBeUndefined();
    digest.acknowledge(9n);
    expect(digest.add(2n, [1n])).toBeUndefined();
    digest.acknowledge(1n);
    expect(shown(digest.add(3n, [1n]))).toBe('2: 1');
  });

  test('what was sent is left out until its acknowledgement is overdue', () => {
    const digest = lists({ maxListSize: 1 });
    digest.add(0n, [1n]);
    expect(digest.add(100n * MS - 1n, [1n])).toBeUndefined();
    expect(shown(digest.add(100n * MS, [1n]))).toBe('2: 1');
  });

  test('without a time for acknowledgements nothing is left out', () => {
    const digest = lists({ maxListSize: 1, ackTimeoutNs: 0n });
    expect(shown(digest.add(0n, [1n]))).toBe('1: 1');
    expect(shown(digest.add(0n, [1n]))).toBe('2: 1');
  });

  test('new settings hold from the next sample on', () => {
    const digest = lists();
    digest.add(0n, [1n]);
    digest.configure({ maxTimeoutNs: 10n * MS, maxListSize: 2, ackTimeoutNs: 0n });
    expect(digest.settings.maxListSize).toBe(2);
    expect(shown(digest.add(1n, [2n]))).toBe('1: 1, 2');
  });

  test('lists keep their limits, and no unacknowledged sample is sent twice', () => {
    const step = fc.record({
      wait: fc.bigInt(0n, 5n),
      sample: fc.option(fc.bigInt(0n, 4n), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 1, max: 3 }),
        (steps, max) => {
          const digest = lists({ maxTimeoutNs: 4n, maxListSize: max, ackTimeoutNs: 1_000_000n });
          const sent = new Set<string>();
          let now = 0n;
          for (const { wait, sample } of steps) {
            now += wait;
            const list = sample === undefined ? digest.poll(now) : digest.add(now, [sample]);
            expect(list?.samples.length ?? 1).toBeLessThanOrEqual(max);
            for (const each of list?.samples ?? []) {
              expect(sent.has(String(each))).toBe(false);
              sent.add(String(each));
            }
          }
        },
      ),
    );
  });
});
