import { expandTrace } from '../../../../../emulator/workload/tasks/expand-trace';
import { Intervals } from '../../../../../emulator/workload/tasks/intervals';
import { sumUpTrace } from '../../../../../emulator/workload/tasks/sum-up-trace';
import { TaskPlanBuilder } from '../../../../../emulator/workload/tasks/task-plan';
import { TaskSchedule } from '../../../../../emulator/workload/tasks/task-schedule';
import { traceSchema } from '../../../../../emulator/workload/tasks/trace';
import type { TraceInput } from '../../../../../emulator/workload/tasks/trace';
import type { DueMessage } from '../../../../../emulator/workload/message-schedule';

const US = 1e6;
/** Time that every message takes in the network of these tests. */
const FLIGHT = 10 * US;

const planned = (trace: TraceInput, perHost = 1) => {
  const checked = traceSchema.parse(trace);
  const hosts = Array.from(
    { length: checked.ranks },
    (_, rank) => `h${Math.floor(rank / perHost)}`,
  );
  return expandTrace(checked, hosts);
};

/** Runs a trace on a network in which every message takes {@link FLIGHT}. */
function runTrace(trace: TraceInput, perHost = 1): TaskSchedule {
  const plan = planned(trace, perHost);
  const first = 5;
  const firstWake = first + plan.connections.length;
  const local = { rate: 8e9, delay: US };
  const schedule = new TaskSchedule({ planned: plan, first, firstWake, startUs: 0, local });
  const events: { at: number; act: () => DueMessage[] }[] = [];
  const given = plan.connections.map(() => 0);
  const take = (due: readonly DueMessage[]): void => {
    for (const { connection, at, wakes } of due) {
      const act = (): DueMessage[] => {
        if (wakes !== undefined) return schedule.wake(at, connection - firstWake);
        const { bytes, due: more } = schedule.offer(at, connection);
        const end = (given[connection - first] = (given[connection - first] as number) + bytes);
        const arrives = at + FLIGHT;
        events.push({ at: arrives, act: () => schedule.delivered(arrives, connection, end) });
        return more;
      };
      events.push({ at, act });
    }
  };
  take(schedule.start());
  while (events.length > 0) {
    events.sort((a, b) => a.at - b.at);
    take(events.shift()?.act() ?? []);
  }
  return schedule;
}

const doneUs = (schedule: TaskSchedule, task: number): number =>
  (schedule.times.done[schedule.planned.plan.task.lastIndexOf(task)] as number) / US;

const pair = (tasks: TraceInput['tasks']): TraceInput => ({ ranks: 2, tasks });
const ping = { do: 'send', rank: 0, to: 1, bytes: 8 } as const;
const pong = { do: 'receive', rank: 1, from: 0 } as const;

describe('a schedule of tasks', () => {
  test('does computations of one stream one by one, and those of two at once', () => {
    const schedule = runTrace(
      pair([
        { do: 'compute', rank: 0, us: 3 },
        { do: 'compute', rank: 0, us: 4 },
        { do: 'compute', rank: 0, us: 5, stream: 'other' },
        { do: 'wait', rank: 0, us: 6 },
        ping,
        pong,
      ]),
    );
    expect([0, 1, 2, 3].map((task) => doneUs(schedule, task))).toEqual([3, 7, 5, 6]);
  });

  test('sends when all that a message waits for is done, and receives when it has arrived', () => {
    const schedule = runTrace(
      pair([
        { do: 'compute', rank: 0, us: 3 },
        { ...ping, after: [0] },
        { do: 'compute', rank: 1, us: 20 },
        { ...pong, after: [2] },
        { do: 'compute', rank: 1, us: 1, after: [3] },
      ]),
    );
    // It had arrived before the receive was ready.
    expect([1, 3, 4].map((task) => doneUs(schedule, task))).toEqual([13, 20, 21]);
    const record = sumUpTrace('t', schedule);
    expect(record.stepUs).toBe(21);
    expect(record.slowest).toMatchObject({ rank: 1, host: 'h1', computeUs: 21, networkUs: 0 });
  });

  test('begins what waits for a beginning alone before the other is done', () => {
    const schedule = runTrace(
      pair([
        { do: 'compute', rank: 0, us: 3 },
        { do: 'compute', rank: 0, us: 5, after: [0] },
        { ...ping, afterStart: [1] },
        pong,
      ]),
    );
    expect(doneUs(schedule, 3)).toBe(13);
  });

  test('passes messages between ranks of one host by their links, one behind the other', () => {
    const schedule = runTrace(
      {
        ranks: 4,
        tasks: [
          { do: 'send', rank: 0, to: 1, bytes: 2000 },
          { do: 'send', rank: 0, to: 1, bytes: 3000 },
          { do: 'send', rank: 0, to: 2, bytes: 1 },
        ],
      },
      2,
    );
    // 1 byte per ns, and 1 us for each.
    expect([0, 1, 2].map((task) => doneUs(schedule, task))).toEqual([3, 6, 10]);
  });

  test('does a chain of ten thousand tasks without duration', () => {
    const tasks = Array.from({ length: 10_000 }, (_, i): TraceInput['tasks'][number] => ({
      do: 'compute',
      rank: 0,
      us: 0,
      after: i === 0 ? [] : [i - 1],
    }));
    const schedule = runTrace(pair([...tasks, { ...ping, after: [9999] }, pong]));
    expect(doneUs(schedule, 10_001)).toBe(10);
  });

  test('says what is exposed: communication while the rank does not compute', () => {
    const schedule = runTrace(
      pair([
        ping,
        pong,
        { do: 'compute', rank: 0, us: 4 },
        { do: 'compute', rank: 1, us: 3, after: [1] },
      ]),
    );
    const { ranks, exposedUs, stepUs } = sumUpTrace('t', schedule);
    expect(ranks.map((each) => [each.computeUs, each.communicationUs, each.exposedUs])).toEqual([
      [4, 10, 6],
      [3, 10, 10],
    ]);
    expect([exposedUs, stepUs]).toEqual([10, 13]);
  });

  test('counts the bandwidth of a collective from when its last rank has entered', () => {
    const tasks: TraceInput['tasks'] = [
      { do: 'compute', rank: 0, us: 7 },
      { do: 'collective', rank: 0, operation: 'all-reduce', bytes: 1000, after: [0] },
      { do: 'collective', rank: 1, operation: 'all-reduce', bytes: 1000 },
    ];
    const { collectives, slowest } = sumUpTrace('t', runTrace(pair(tasks)));
    expect(collectives).toEqual([
      expect.objectContaining({
        startUs: 0,
        timeUs: 27,
        lastToEnter: 0,
        ranks: 2,
        algorithm: 'ring',
      }),
    ]);
    // 1,000 bytes in 20 us; with 2 ranks the bus has as much.
    expect(collectives[0]?.algorithmBandwidthGbps).toBeCloseTo(0.4, 9);
    expect(collectives[0]?.busBandwidthGbps).toBeCloseTo(0.4, 9);
    expect(slowest).toMatchObject({ computeUs: 7, networkUs: 20 });
  });

  test('leaves figures open where tasks were not done', () => {
    const plan = planned(pair([ping, pong]));
    const local = { rate: 1, delay: 0 };
    const schedule = new TaskSchedule({ planned: plan, first: 0, firstWake: 1, startUs: 0, local });
    expect(sumUpTrace('t', schedule)).toMatchObject({
      stepUs: null,
      slowest: null,
      unfinishedTasks: 2,
    });
  });
});

test('what is left when the network is done with is done in the order of time', () => {
  const plan = planned(
    pair([
      ping,
      pong,
      { do: 'compute', rank: 0, us: 9 },
      { do: 'compute', rank: 0, us: 1, stream: 'other' },
      { do: 'compute', rank: 0, us: 4, after: [3] },
      { do: 'wait', rank: 1, us: 2, after: [4] },
    ]),
  );
  const local = { rate: 8e9, delay: US };
  const schedule = new TaskSchedule({ planned: plan, first: 0, firstWake: 1, startUs: 0, local });
  const [begin] = schedule.start();
  schedule.wake(0, (begin as DueMessage).connection - 1);
  schedule.offer(0, 0);
  schedule.delivered(3 * US, 0, 8);
  expect(schedule.doneAt).toBeUndefined();
  schedule.finish();
  expect([2, 3, 4, 5].map((task) => doneUs(schedule, task))).toEqual([9, 1, 13, 15]);
  expect(schedule.doneAt).toBe(15 * US);
});

test('a plan has no more steps than it may', () => {
  const builder = new TaskPlanBuilder(2);
  builder.join(0, 0);
  builder.wait(0, 0, US);
  expect(() => builder.join(0, 0)).toThrow('are more than 2');
});

describe('a trace is refused', () => {
  const compute = (rank: number, ...after: number[]): TraceInput['tasks'][number] => ({
    do: 'compute',
    rank,
    us: 1,
    after,
  });
  test.each([
    [
      'for a circle of computations',
      [compute(0, 1), compute(0, 0)],
      'task 0 of rank 0 -> task 1 of rank 0 -> task 0 of rank 0',
    ],
    [
      'for a task that waits for itself',
      [compute(0, 0)],
      'in a circle: task 0 of rank 0 -> task 0 of rank 0',
    ],
    [
      'for messages that wait for each other',
      [
        { ...ping, after: [1] },
        { do: 'receive', rank: 0, from: 1 },
        { ...pong },
        { do: 'send', rank: 1, to: 0, bytes: 1, after: [2] },
      ],
      'tasks wait for each other in a circle',
    ],
    [
      'for a receive that nobody sends',
      [ping, pong, pong],
      'task 2 of rank 1: nobody sends what it waits for',
    ],
    [
      'for a send that nobody receives',
      [ping, ping, pong],
      'task 1 of rank 0: nobody receives what it sends',
    ],
    ['for another tag', [{ ...ping, tag: 1 }, pong], 'with tag 0'],
    ['for a rank beyond the last one', [{ ...ping, to: 2 }], 'rank 2 is none of the 2 ranks'],
    ['for a task that does not exist', [compute(0, 7)], 'task 0 of rank 0 waits for task 7'],
    [
      'for a collective that a rank does not do',
      [{ do: 'collective', rank: 0, operation: 'barrier', bytes: 0 }],
      'is a collective of all ranks, which rank 1 does not do',
    ],
    [
      'for collectives that differ',
      [
        { do: 'collective', rank: 0, operation: 'all-reduce', bytes: 8 },
        { do: 'collective', rank: 1, operation: 'all-reduce', bytes: 9 },
      ],
      'task 1 of rank 1 is all-reduce of 9 bytes, but task 0 of rank 0 is all-reduce of 8',
    ],
    [
      'for an unknown group',
      [{ do: 'collective', rank: 0, operation: 'barrier', bytes: 0, group: 'x' }],
      'there is no group x',
    ],
    [
      'for a group named like what every object has',
      [{ do: 'collective', rank: 0, operation: 'barrier', bytes: 0, group: 'toString' }],
      'there is no group toString',
    ],
  ] as const)('%s', (_what, tasks, message) => {
    expect(() => planned(pair(tasks as unknown as TraceInput['tasks']))).toThrow(message);
  });
});

test('intervals overlap, touch and exclude each other', () => {
  const [a, b] = [new Intervals(), new Intervals()];
  for (const [from, to] of [
    [10, 20],
    [0, 5],
    [18, 30],
    [30, 31],
    [7, 7],
  ] as const)
    a.add(from, to);
  for (const [from, to] of [
    [4, 11],
    [19, 25],
    [40, 50],
  ] as const)
    b.add(from, to);
  expect(a.union()).toEqual([
    [0, 5],
    [10, 31],
  ]);
  expect([a.length, a.without(b), b.without(a)]).toEqual([26, 18, 15]);
});
