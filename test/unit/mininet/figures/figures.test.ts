import { fairAfterSeconds, firstShare } from '../../../../mininet/figures/flow-figures';
import type { FlowCourse } from '../../../../mininet/figures/flow-figures';
import { mininetResultSchema } from '../../../../mininet/figures/mininet-result';
import { resultSchema } from '../../../../emulator/result/result';
import { convertRun } from '../../../../mininet/figures/convert';
import { drainRtts, figuresOf } from '../../../../mininet/figures/figures';
import { machineOf } from '../../../../mininet/observation/machine';
import type { Observation, ObservedFlow } from '../../../../mininet/observation/observation';
import { Trace } from '../../../../mininet/observation/trace';
import { singleFlow, tcp } from '../../../support/mininet-fixture';

/** The same updates, every other one without U. */
function everyOtherTold(trace: Trace): Trace {
  const told = new Trace();
  for (let row = 0; row < trace.length; row++) {
    const windowBytes = trace.windowBytes(row);
    const normalizedInflight = row % 2 === 0 ? trace.normalizedInflight(row) : null;
    told.append({ windowBytes, rateBps: 1, hops: [], normalizedInflight }, trace.seconds(row));
  }
  return told;
}

describe('figures of a recorded run', () => {
  const observation = singleFlow();
  const figures = figuresOf(observation);

  test('the bottleneck was used as far as the kernel has counted bytes', () => {
    const { ports } = observation;
    const [from, to] = [ports.find(({ seconds }) => seconds >= 3.5), ports.at(-2)];
    const bytes = (sample: typeof from): number => sample?.ports['s1:3']?.txBytes ?? 0;
    const seconds = (to?.seconds ?? 0) - (from?.seconds ?? 0);
    const used = (8 * (bytes(to) - bytes(from))) / (5e6 * seconds);
    expect(figures.utilisation).toBeCloseTo(used, 1);
    expect(figures.utilisation).toBeGreaterThan(0.9);
  });

  test('payload is 1000 of 1106 bytes of that', () => {
    const wire = ((figures.throughputMbps ?? 0) * 1106) / 1000;
    expect(wire / 5).toBeCloseTo(figures.utilisation ?? 0, 1);
  });

  test('the queue was short, and nothing was lost', () => {
    expect(figures).toMatchObject({ drops: 0, retransmissions: 0, lostBytes: 0, rateMbps: 5 });
    expect(figures.queueP99Packets).toBeLessThan(5);
    expect(figures.queueDelayP99Ms).toBeCloseTo(((figures.queueP99Packets ?? 0) * 8848) / 5e3, 6);
  });

  test('trimmed and reordered data are counted where switches trim and packets take many paths', () => {
    expect(figures).toMatchObject({ timeouts: 0, trimmedPackets: null, reorderedPackets: null });
    const { own, network, agents, flows, ...rest } = singleFlow();
    const counted = [...agents].map(([name, report]) => {
      const host = { ...report.host, trimmedReceived: 3, reorderedPackets: 5 };
      return [name, { ...report, host }] as const;
    });
    const options = ['--balancing', 'random'];
    const trimming = {
      ...rest,
      own: { ...own, document: { ...own.document, options } },
      network: { ...network, text: { ...network.text, trim: { queueBytes: 9000 } } },
      agents: new Map(counted),
      flows: flows.map((flow) => ({ ...flow, timeouts: 2 })),
    };
    expect(figuresOf(trimming)).toMatchObject({
      timeouts: 2 * flows.length,
      trimmedPackets: 3 * agents.size,
      reorderedPackets: 5 * agents.size,
    });
    expect(figuresOf(tcp()).timeouts).toBeNull();
  });

  test('each packet of data brought one piece of feedback', () => {
    expect(figuresOf(singleFlow()).feedbackPerData).toBeCloseTo(1, 2);
    const { flows, ...rest } = singleFlow();
    const answered = flows.map((each) => ({ ...each, acksReceived: 2 * each.dataSent }));
    expect(figuresOf({ flows: answered, ...rest }).feedbackPerData).toBe(2);
  });

  test('the share of the first flow is of the time in which all were active', () => {
    const [{ sender }] = singleFlow().flows as [ObservedFlow];
    const course = (startsAt: number, mbps: number): FlowCourse => ({
      sender,
      startsAt,
      endsAt: 10,
      isComplete: true,
      intervals: [{ from: startsAt, to: 10, bytes: ((10 - startsAt) * mbps * 1e6) / 8 }],
    });
    expect(firstShare([course(0, 3), course(6, 1)])).toBeCloseTo(0.75, 9);
    expect(firstShare([course(6, 1), course(0, 3)])).toBeCloseTo(0.25, 9);
    expect(firstShare([course(0, 3)])).toBeNull();
    expect(firstShare([course(0, 0), course(0, 0)])).toBeNull();
  });

  test('each packet of feedback updates the window, or fewer: lines without U are no updates', () => {
    const { flows, ...rest } = singleFlow();
    const [{ trace, startsAt, endsAt }] = flows as [ObservedFlow];
    const perRtt = trace.length / ((endsAt - startsAt) / 0.01);
    expect(rest.own.document.algorithm.baseRttUs).toBe(10_000);
    expect(figuresOf({ flows, ...rest }).controlUpdatesPerRtt).toBeCloseTo(perRtt, 6);
    const told = flows.map((each) => ({ ...each, trace: everyOtherTold(each.trace) }));
    const half = Math.ceil(trace.length / 2) / trace.length;
    expect(figuresOf({ flows: told, ...rest }).controlUpdatesPerRtt).toBeCloseTo(half * perRtt, 6);
  });

  test('flows are fair from the first second on in which they are', () => {
    const [{ sender }] = singleFlow().flows as [ObservedFlow];
    const course = (startsAt: number, bytes: readonly number[]): FlowCourse => ({
      sender,
      startsAt,
      endsAt: startsAt + bytes.length,
      isComplete: true,
      intervals: bytes.map((each, i) => ({
        from: startsAt + i,
        to: startsAt + i + 1,
        bytes: each,
      })),
    });
    const long = course(0, [9, 9, 9, 9, 9, 9]);
    expect(fairAfterSeconds([long, course(2, [9, 9])])).toBeCloseTo(0, 9);
    expect(fairAfterSeconds([long, course(2, [1, 1, 9, 9])])).toBeCloseTo(1.6, 9);
    expect(fairAfterSeconds([long, course(2, [1, 1, 1])])).toBeNull();
    expect(fairAfterSeconds([long])).toBeNull();
  });

  test('what a single flow cannot tell is null', () => {
    expect(figures).toMatchObject({
      jainSecondHalf: null,
      recoverySeconds: null,
      miceFctP99Ms: null,
      drainRtts: null,
    });
  });

  test('bytes that the receiver does not have count as lost', () => {
    const lossy: Observation = { ...observation, agents: new Map() };
    expect(figuresOf(lossy).lostBytes).toBe(observation.flows[0]?.bytes);
  });

  describe('drops of switches that tell nothing', () => {
    const [, second] = observation.ports;
    const counters = (rxPackets: number, txPackets: number) => {
      const [first = { seconds: 0, ports: {} }] = observation.ports;
      const port = Object.values(first.ports)[0];
      if (port === undefined) throw new Error('the fixture has ports');
      return { ...port, rxPackets, txPackets };
    };
    const at = (seconds: number, in1: number, out2: number) => ({
      seconds,
      ports: { 's1:1': counters(in1, 0), 's1:2': counters(0, out2) },
    });
    const mute: Observation = {
      ...observation,
      switches: new Map(),
      // Half of the queue is on its way when the first flow begins to send.
      ports: [at(-1, 5, 5), at(second?.seconds ?? 1, 100, 50), at(7, 205, 202)],
    };

    test('are what came in and did not go out', () => {
      expect(figuresOf(mute).drops).toBe(3);
    });

    test('are unknown while packets wait in queues', () => {
      const run = { ...mute.run, quiet: false };
      expect(figuresOf({ ...mute, run }).drops).toBeNull();
    });

    test('are unknown where the program makes packets of its own', () => {
      const text = { ...mute.network.text, program: 'hpcc-ccm' };
      expect(figuresOf({ ...mute, network: { ...mute.network, text } }).drops).toBeNull();
    });
  });
});

describe('figures of a recorded TCP run', () => {
  const figures = figuresOf(tcp());

  test('throughput is what iperf3 says, the queue what probes say', () => {
    expect(figures.throughputMbps).toBeGreaterThan(15);
    expect(figures.throughputMbps).toBeLessThan(20);
    expect(figures.queueDelayP99Ms).toBeGreaterThan(0);
    expect(figures.lostBytes).toBeNull();
  });
});

describe('how long a burst stands in the queue', () => {
  const shape = { frameBytes: 1000, algorithm: { baseRttUs: 10_000 } };
  test.each([
    ['nobody told', [], null],
    ['never long', [[1, 5000]], 0],
    [
      'gone after two T',
      [
        [1, 6000],
        [1.01, 9000],
        [1.02, 100],
        [1.03, 7000],
      ],
      2,
    ],
    [
      'never gone',
      [
        [1, 6000],
        [1.01, 9000],
      ],
      null,
    ],
    [
      'short before its peak',
      [
        [1, 6000],
        [1.01, 100],
        [1.02, 9000],
        [1.03, 100],
      ],
      3,
    ],
    [
      'a later burst is another one',
      [
        [1, 6000],
        [1.01, 100],
        [2, 9000],
        [2.5, 100],
      ],
      1,
    ],
  ] as const)('%s', (_what, samples, wanted) => {
    const found = drainRtts(samples, shape);
    if (wanted === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(wanted, 6);
  });
});

describe('the result of a run under Mininet', () => {
  const observation = singleFlow();
  const generator = {
    version: '1',
    commit: 'c',
    p4Program: 'hpcc.p4',
    p4Digest: 'd',
    executor: 'embedded switch',
    queueModel: 'bits/s serialiser',
  };
  const setting = {
    kind: 'embedded' as const,
    capacity: undefined,
    realtime: false,
    lighter: 'try fewer Mb/s (--set rate=N, below 12)',
  };
  const machine = machineOf(observation, setting);
  const figures = figuresOf(observation);
  const result = convertRun(observation, { generator, machine, figures, bars: [] });

  test('has the schema of the emulator and the fields of the machine', () => {
    expect(mininetResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
    const own = ['machine', 'figures', 'bars'];
    const plain = Object.fromEntries(Object.entries(result).filter(([key]) => !own.includes(key)));
    expect(resultSchema.parse(plain)).toEqual(plain);
  });

  test('names flows that were without control for more than moments, and tells of moments too', () => {
    const without = (uncontrolledSeconds: number) =>
      convertRun(
        {
          ...observation,
          flows: observation.flows.map((flow) => ({ ...flow, uncontrolledSeconds })),
        },
        { generator, machine, figures, bars: [] },
      );
    const [moments, most] = [without(0.1), without(3)];
    expect(moments.uncontrolled).toBeUndefined();
    expect(moments.flows[0]?.uncontrolledUs).toBe(100_000);
    expect(most.uncontrolled).toMatch(
      /^1 of 1 flows sent without control \(the first is flow 1 from h1 to h2, for 3000000 us\)/,
    );
  });

  test('has the flow, the link and the series in the units of the emulator', () => {
    expect(result.flows).toMatchObject([{ id: 1, source: 'h1', destination: 'h2' }]);
    expect(result.flows[0]?.fctUs).toBeCloseTo(6e6, -5);
    expect(result.bottleneck).toMatchObject({ link: 's1:3->s2:3' });
    expect(result.links.find(({ name }) => name === 's1:3->s2:3')).toMatchObject({
      rateGbps: 0.005,
    });
    expect(result.series[0]?.timeUs.length).toBeGreaterThan(50);
    expect(result.frames).toMatchObject({ dataAtHostBytes: 1074, dataAtBottleneckBytes: 1106 });
  });
});
