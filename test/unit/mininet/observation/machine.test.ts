import { machineOf } from '../../../../mininet/observation/machine';
import type { Machine } from '../../../../mininet/observation/machine';
import type { Observation } from '../../../../mininet/observation/observation';
import { singleFlow } from '../../../support/mininet-fixture';

const recorded = singleFlow();
/** As if nobody else had worked while it was recorded. */
const observation = {
  ...recorded,
  cpu: recorded.cpu.map((sample) => ({ ...sample, idle: 0.6 })),
};
const setting = {
  kind: 'embedded' as const,
  capacity: undefined,
  realtime: false,
  lighter: 'try fewer Mb/s (--set rate=N, below 12)',
};

const reasonsOf = (changes: Partial<Observation>): readonly string[] =>
  machineOf({ ...observation, ...changes }, setting).reasons;

describe('whether a run measured the network', () => {
  test('a run that left the processors time is valid', () => {
    const machine = machineOf(observation, setting);
    expect(machine).toMatchObject({ valid: true, reasons: [], cores: 2, switchKind: 'embedded' });
    expect(machine.carriedPacketsPerSecond).toBeGreaterThan(900);
    expect(machine.exitCodes).toMatchObject({ f1: 0, s1: 0 });
  });

  test('the time until the network is ready is told where the run noted it', () => {
    const { run } = observation;
    expect(machineOf(observation, setting).startSeconds).toBeNull();
    const machine = machineOf({ ...observation, run: { ...run, startSeconds: 4.25 } }, setting);
    expect(machine.startSeconds).toBe(4.25);
  });

  test('a run that took nearly all processors is not', () => {
    const { run } = observation;
    const processes = run.processes.map((each) => ({ ...each, cpuSeconds: 4 }));
    const machine = machineOf({ ...observation, run: { ...run, processes } }, setting);
    expect(machine.valid).toBe(false);
    expect(machine.reasons[0]).toMatch(/own processes left .* of the processors, below 30 %: try/);
  });

  describe('a process of one thread without time to spare', () => {
    // As on eight processors, of which it leaves seven.
    const run = { ...observation.run, cores: 8 };
    const using = (name: string, share: number): readonly string[] => {
      const processes = run.processes.map((each) => {
        const { startedSeconds, endedSeconds } = each;
        const seconds = (endedSeconds ?? 0) - (startedSeconds ?? 0);
        return each.name === name ? { ...each, cpuSeconds: share * seconds } : each;
      });
      return reasonsOf({ run: { ...run, processes } });
    };

    test('makes a run invalid, and is named', () => {
      expect(using('s1', 0.99)).toEqual([
        's1 used 99 % of a processor, all that its one thread has: ' +
          'try fewer Mb/s (--set rate=N, below 12)',
      ]);
      expect(using('s1', 0.96)).toEqual([]);
    });

    describe('is none that may have many', () => {
      // Of a thousand processors.
      const processes = run.processes.map((each) =>
        each.name === 's1' ? { ...each, cpuSeconds: 1000 } : each,
      );
      const busy = { ...observation, run: { ...run, cores: 1000, processes } };

      test('such as switches of bmv2', () => {
        expect(machineOf(busy, { ...setting, kind: 'bmv2' }).reasons).toEqual([]);
      });

      test('or commands of the experiment', () => {
        const { own } = observation;
        const services = [{ name: 's1', host: 'h1', argv: ['stress'] }];
        const document = { ...own.document, services };
        expect(machineOf({ ...busy, own: { ...own, document } }, setting).reasons).toEqual([]);
        expect(machineOf(busy, setting).reasons).toHaveLength(1);
      });
    });
  });

  describe('on a machine where others work', () => {
    const cpu = observation.cpu.map((sample) => ({ ...sample, idle: 0 }));
    const crowded = (realtime: boolean): Machine =>
      machineOf({ ...observation, cpu }, { ...setting, realtime });

    test('a run that had to share is not valid, and the reason says what helps', () => {
      expect(crowded(false)).toMatchObject({ valid: false, idleMean: 0 });
      expect(crowded(false).reasons).toEqual([
        'the processors were idle 0 % of the time, below 10 %: run it with --realtime, which goes ' +
          'before other work here, or try fewer Mb/s (--set rate=N, below 12)',
      ]);
    });

    test('a run that went before them is valid', () => {
      expect(crowded(true)).toMatchObject({ valid: true, reasons: [] });
    });
  });

  test('a switch near its measured capacity is not', () => {
    const capacity = { packetsPerSecond: { embedded: 1000 }, frameBytes: 1106 };
    const { reasons } = machineOf(observation, { ...setting, capacity });
    expect(reasons).toEqual([expect.stringMatching(/of the 1000 packets\/s that were measured/)]);
  });

  test('a process that often fetched frames later than T is not, and is named', () => {
    // T is 10 ms; what is counted from 16 ms on is the next that is known.
    const late = (waited: Record<string, number>, turns = 1000): readonly string[] => {
      const counts = { received: 1000, sent: 1000, dropped: {}, late: { turns, waited } };
      return reasonsOf({ switches: new Map([['s1', counts]]) });
    };
    expect(late({ 1: 900, 8: 300, 16: 20 })).toEqual([]);
    expect(late({})).toEqual([]);
    // A spine that no flow crosses has a turn or two, of which the first finds nothing compiled.
    expect(late({ 16: 1 }, 1)).toEqual([]);
    expect(late({ 16: 4 }, 20)).toEqual([]);
    expect(late({ 16: 5 }, 20)).toHaveLength(1);
    expect(late({ 1: 900, 16: 31, 32: 4 })).toEqual([
      's1 fetched frames later than T (10 ms) in 3.1 % of its 1000 turns: ' +
        'try fewer Mb/s (--set rate=N, below 12), or raise T',
    ]);
    const [[name, agent] = ['', undefined]] = observation.agents;
    if (agent === undefined) throw new Error('there is an agent');
    const port = { ...agent.port, late: { turns: 100, waited: { 16: 50 } } };
    expect(reasonsOf({ agents: new Map([[name, { ...agent, port }]]) })[0]).toContain('in 50.0 %');
  });

  test('no samples of idle time make a run unbelievable', () => {
    expect(reasonsOf({ cpu: [] })).toEqual([
      'there are no samples of idle time while flows were active',
    ]);
  });

  test('frames that a process did not fetch in time are named', () => {
    const agent = observation.agents.get('h2');
    if (agent === undefined) throw new Error('the fixture has an agent');
    const agents = new Map([['h2', { ...agent, port: { overflowed: 3 } }]]);
    expect(reasonsOf({ agents })).toEqual(['h2 was too slow to fetch 3 frames']);
    const switches = new Map([
      ['s1', { received: 1, sent: 1, dropped: { 'receive-overflow': 5 } }],
    ]);
    expect(reasonsOf({ switches })).toEqual(['s1 was too slow to fetch 5 frames']);
  });

  test('a flow that failed is named with its exit code', () => {
    const { run } = observation;
    const processes = run.processes.map((each) =>
      each.name === 'f1' ? { ...each, exitCode: 1 } : each,
    );
    expect(reasonsOf({ run: { ...run, processes } })).toEqual(['f1 ended with 1']);
  });
});
