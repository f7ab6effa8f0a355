import * as os from 'node:os';
import { libc, standInForLibc } from '../../../../../common/io/net/libc';
import { goBeforeHelpers, takeShortSlices } from '../../../../../common/io/loop/thread-priority';

const RESET_ON_FORK = 0x4000_0000;

/** A thread with a policy and a priority, as sched(7) has them. */
function threadOf(policy: number, priority: number, isAllowed = true) {
  const thread = { policy, priority };
  const restore = standInForLibc({
    ...libc(),
    sched_getscheduler: () => thread.policy,
    sched_getparam: (_, parameters) => {
      new DataView(parameters.buffer).setInt32(0, thread.priority, true);
      return 0;
    },
    sched_setscheduler: (_, wanted, parameters) => {
      if (!isAllowed) return -1;
      thread.policy = wanted;
      thread.priority = new DataView(parameters.buffer).getInt32(0, true);
      return 0;
    },
  });
  return { thread, restore };
}

describe('a thread goes before the others of its process', () => {
  test.each([
    ['first come, first served', 1, 1, 2],
    ['in turns', 2, 7, 8],
    ['in turns, its children in the ordinary way', 2 | RESET_ON_FORK, 1, 2],
    ['at the highest priority there is', 2, 99, 99],
  ])('in real time, %s', (_, policy, before, after) => {
    const { thread, restore } = threadOf(policy, before);
    try {
      expect(goBeforeHelpers()).toBe(after);
      expect(thread).toEqual({ policy, priority: after });
    } finally {
      restore();
    }
  });

  test.each([
    ['in the ordinary way', 0, 0, 0],
    ['in batches', 3, 0, 0],
    ['by nobody that answers', -1, 0, 0],
  ])('not where it is scheduled %s', (_, policy, priority, answer) => {
    const { thread, restore } = threadOf(policy, priority);
    try {
      expect(goBeforeHelpers()).toBe(answer);
      expect(thread).toEqual({ policy, priority });
    } finally {
      restore();
    }
  });

  test('not where the system refuses', () => {
    const { thread, restore } = threadOf(2, 1, false);
    try {
      expect(goBeforeHelpers()).toBe(1);
      expect(thread.priority).toBe(1);
    } finally {
      restore();
    }
  });
});

describe('a thread asks for short slices', () => {
  /** The call's `struct sched_attr`: policy, niceness, and slice in nanoseconds. */
  function asked(policy: number) {
    const calls: (readonly [number, number, bigint])[] = [];
    const restore = standInForLibc({
      ...libc(),
      sched_getscheduler: () => policy,
      sched_setattr: ({ buffer, byteLength }) => {
        const view = new DataView(buffer);
        expect(view.getUint32(0, true)).toBe(byteLength);
        calls.push([view.getUint32(4, true), view.getInt32(16, true), view.getBigUint64(24, true)]);
        return -1;
      },
    });
    try {
      takeShortSlices();
    } finally {
      restore();
    }
    return calls;
  }

  test('and keeps its niceness, where it is scheduled in the ordinary way', () => {
    expect(asked(0)).toEqual([[0, os.getPriority(), 500_000n]]);
  });

  test.each([1, 2, 3, -1])('not under policy %d', (policy) => {
    expect(asked(policy)).toEqual([]);
  });

  test('that the kernel takes', () => {
    takeShortSlices();
    expect(libc().sched_getscheduler(0)).toBe(0);
  });
});
