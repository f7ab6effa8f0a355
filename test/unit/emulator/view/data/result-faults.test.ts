import { resultFaults } from '../../../../../emulator/view/data/result-faults';
import { RESULT } from '../../../../support/result';

test('a sound result has none', () => {
  expect(resultFaults(RESULT)).toEqual([]);
});

test('what was tampered with is named with its place', () => {
  const [series] = RESULT.series;
  if (series === undefined) throw new Error('the result has a series');
  const { timeUs } = series;
  const short = { ...series, rateGbps: series.rateGbps.slice(1) };
  const wanted = timeUs.length;
  expect(resultFaults({ ...RESULT, series: [short] })).toEqual([
    `series.0.rateGbps: ${wanted - 1} values, expected ${wanted}`,
  ]);
  const back = { ...series, timeUs: timeUs.map((us, i) => (i === 1 ? -1 : us)) };
  expect(resultFaults({ ...RESULT, series: [back] })).toEqual([
    'series.0.timeUs.1: -1 goes back in time',
  ]);
  const twice = RESULT.flows.map((flow) => ({ ...flow, id: 1, source: 'nobody' }));
  expect(resultFaults({ ...RESULT, flows: twice })).toEqual([
    "flows.0: 'nobody' is no node of the topology",
    'flows.1.id: 1 is there twice',
    "flows.1: 'nobody' is no node of the topology",
  ]);
});

test('timelines are of the links of the result, and all equally long', () => {
  const timelines = {
    intervalUs: 1,
    links: RESULT.links.map(({ name }) => ({ name, sentBytes: [1], queuePeakBytes: [1] })),
    droppedPackets: [0],
    feedbackPackets: [0],
  };
  expect(resultFaults({ ...RESULT, timelines })).toEqual([]);
  const links = timelines.links.map((link, i) => (i === 0 ? { ...link, sentBytes: [] } : link));
  expect(resultFaults({ ...RESULT, timelines: { ...timelines, links } })).toEqual([
    'timelines.links.0.sentBytes: 0 values, expected 1',
  ]);
  const feedbackPackets: number[] = [];
  expect(resultFaults({ ...RESULT, timelines: { ...timelines, feedbackPackets } })).toEqual([
    'timelines.feedbackPackets: 0 values, expected 1',
  ]);
});

test.each([
  ['durationUs: -1, expected at least 0', { durationUs: -1 }],
  [
    'queueTimeline.intervalUs: 0, expected more than 0',
    { queueTimeline: { ...RESULT.queueTimeline, intervalUs: 0 } },
  ],
  [
    "bottleneck.link: 'x' is none of the links",
    { bottleneck: { ...RESULT.bottleneck, link: 'x' } },
  ],
  [
    'flows.0.startUs: -5, expected at least 0',
    { flows: RESULT.flows.map((flow, i) => ({ ...flow, startUs: i === 0 ? -5 : 1 })) },
  ],
  [
    'links.0.rateGbps: 0, expected more than 0',
    { links: RESULT.links.map((link, i) => ({ ...link, rateGbps: i })) },
  ],
  [
    'queueTimeline.bytes: 5000000 values, expected 4194304 at most',
    { queueTimeline: { ...RESULT.queueTimeline, bytes: new Array<number>(5e6).fill(0) } },
  ],
])('%s', (text, part) => {
  expect(resultFaults({ ...RESULT, ...part })).toEqual([text]);
});
