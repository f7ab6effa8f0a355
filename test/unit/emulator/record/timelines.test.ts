import { PS_PER_US } from '../../../../common/units/units';
import { TimelineRecorder } from '../../../../emulator/record/timelines';

function recorded(samples: number) {
  const ledger = { sentBytes: 0 };
  const counts = { droppedPackets: 0, feedbackPackets: 0 };
  const recorder = new TimelineRecorder({
    links: [{ name: 'a', ledger }],
    interval: PS_PER_US,
    counts: () => ({ ...counts }),
  });
  for (let i = 0; i < samples; i++) {
    recorder.sample(i * PS_PER_US);
    recorder.noteQueue(0, i);
    ledger.sentBytes += 10;
    if (i === 5) counts.droppedPackets++;
    counts.feedbackPackets++;
  }
  return recorder;
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

test('each interval has what was sent in it, and the longest queue', () => {
  const { intervalUs, links, droppedPackets } = recorded(8).timelines();
  expect(intervalUs).toBe(1);
  expect(links[0]).toEqual({
    name: 'a',
    sentBytes: [10, 10, 10, 10, 10, 10, 10, 10],
    queuePeakBytes: [0, 1, 2, 3, 4, 5, 6, 7],
  });
  expect(droppedPackets).toEqual([0, 0, 0, 0, 0, 1, 0, 0]);
});

test('a run that is 100 times longer has as many intervals, and nothing of it is lost', () => {
  const [short, long] = [recorded(500), recorded(50_000)].map((each) => each.timelines());
  expect(short?.links[0]?.sentBytes.length).toBe(500);
  expect(long?.links[0]?.sentBytes.length).toBeLessThanOrEqual(512);
  expect(long?.intervalUs).toBe(128);
  expect(sum(long?.links[0]?.sentBytes ?? [])).toBe(500_000);
  expect(sum(long?.droppedPackets ?? [])).toBe(1);
  expect(sum(long?.feedbackPackets ?? [])).toBe(50_000);
  expect(Math.max(...(long?.links[0]?.queuePeakBytes ?? []))).toBe(49_999);
});

test('asking in the middle changes nothing that is asked later', () => {
  const once = recorded(100);
  const twice = recorded(100);
  twice.timelines();
  expect(twice.timelines()).toEqual(once.timelines());
});
