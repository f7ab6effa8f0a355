import { emulatedDelays, emulatedFigures } from '../../../../mininet/figures/emulated-figures';
import { emulatedScenario } from '../../../../mininet/figures/emulate';
import type { Observation } from '../../../../mininet/observation/observation';
import type { Result } from '../../../../emulator/result/result';
import { RESULT } from '../../../support/result';
import { preparedCases, singleFlow } from '../../../support/mininet-fixture';

/** 5 Mb/s at the bottleneck, 1106 bytes a frame, and three seconds that do not count. */
const observation = singleFlow();
const [flow] = RESULT.flows;
const [series] = RESULT.series;
const [link] = RESULT.links;
if (flow === undefined || series === undefined || link === undefined) {
  throw new Error('the sample result has a flow and a link');
}

/** Six seconds: a long queue at first, 600 KB a second, one second of silence after a failure at 4 s. */
const result: Result = {
  ...RESULT,
  durationUs: 6e6,
  flows: [{ ...flow, bytes: 3e6, deliveredBytes: 2.9e6, fctUs: 6e6, retransmittedSegments: 7 }],
  series: [
    {
      ...series,
      timeUs: [1e6, 2e6, 3e6, 4e6, 5e6],
      deliveredBytes: [0.6e6, 1.2e6, 1.8e6, 2.4e6, 2.4e6],
    },
  ],
  links: [{ ...link, name: 's1:9->s2:8', rateGbps: 0.005, bytes: 3e6, lostPackets: 4 }],
  queueTimeline: {
    link: 's1:9->s2:8',
    startUs: 0,
    intervalUs: 1e6,
    bytes: [50_000, 0, 0, 2212, 0, 1106, 0],
  },
  counters: { ...RESULT.counters, drops: { 'queue-full': 2 } },
};

const failing = (seconds: number): Observation => ({
  ...observation,
  run: { ...observation.run, links: [{ link: 's1:3-s2:3', state: 'down', seconds }] },
});

describe('figures of an emulated run', () => {
  const figures = emulatedFigures(result, observation);

  test('are about the same link and leave out the same time as those of the real run', () => {
    expect(figures).toMatchObject({ rateMbps: 5, queueMaxPackets: 2, queueP99Packets: 2 });
    // 2.9 MB less 1.8 MB, in three seconds.
    expect(figures.throughputMbps).toBeCloseTo((8 * 1.1) / 3, 9);
    // 3 MB in six seconds over 5 Mb/s.
    expect(figures.utilisation).toBeCloseTo(0.8, 9);
    expect(emulatedDelays(result, observation)).toHaveLength(4);
  });

  test('count what was dropped, what links lost, and what did not arrive', () => {
    expect(figures).toMatchObject({ drops: 6, lostBytes: 100_000, retransmissions: 7 });
  });

  test('know no queue where another link had the longest one', () => {
    const other = { ...result, queueTimeline: { ...result.queueTimeline, link: 's2:1->h2:1' } };
    expect(emulatedFigures(other, observation)).toMatchObject({
      queueP99Packets: null,
      queueMaxPackets: null,
      queueDelayP99Ms: null,
    });
  });

  test('tell how long a failure was felt', () => {
    const start = observation.flows[0]?.startsAt ?? 0;
    const steady = {
      ...result,
      series: [{ ...series, timeUs: [2e6, 3e6], deliveredBytes: [1e6, 1e6] }],
    };
    // 500 KB a second before, nothing until 3 s, then 633: the second from 2.8 s on has 90 %.
    expect(emulatedFigures(steady, failing(start + 2)).recoverySeconds).toBeCloseTo(0.8, 9);
  });
});

describe('the emulated twin', () => {
  test('loses the links that the real network has lost, as long after the first flow', () => {
    const start = observation.flows[0]?.startsAt ?? 0;
    const { events, reaction } = emulatedScenario(failing(start + 2));
    expect(events).toEqual([{ atUs: 2e6, between: ['s1', 's2'], state: 'down' }]);
    expect(reaction).toEqual({ controllerUs: null, watchPorts: false });
  });

  test.each([
    ['probe-only', { feedback: 'probe', ackEvery: 1 }],
    ['receiver-based', { feedback: 'receiver', ackEvery: 1 }],
    ['receiver-probe', { feedback: 'receiver-probe', ackEvery: 1 }],
    ['notification', { feedback: 'notification', ackEvery: 4, collectEvery: 2 }],
    ['parking-lot', { feedback: 'ack', ackEvery: 2 }],
  ])('has what hosts of %s are told', (name, expected) => {
    const [prepared] = preparedCases(name, { kind: 'bmv2' });
    const [first] = observation.flows;
    const own = prepared?.own.document.flows[0];
    if (prepared === undefined || first === undefined || own === undefined) {
      throw new Error(`${name} has a flow`);
    }
    const real = { ...first, sender: { ...first.sender, flow: own } };
    const network = prepared.network;
    const { parameters } = emulatedScenario({
      ...observation,
      own: prepared.own,
      network,
      flows: [real],
    });
    expect(parameters).toMatchObject(expected);
  });
});
