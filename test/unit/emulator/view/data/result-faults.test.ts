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
