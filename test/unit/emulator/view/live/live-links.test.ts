import { LiveLinks } from '../../../../../emulator/view/live/live-links';

const LINKS = ['s1:1->h1:1', 's1:2->h2:1'];
const sent = (first: number, second: number, droppedPackets = 0) => ({
  sentBytes: new Map([
    ['s1:1->h1:1', first],
    ['s1:2->h2:1', second],
  ]),
  droppedPackets,
});

test('bytes between two looks are spread evenly, and queues find the interval of their instant', () => {
  const links = new LiveLinks(LINKS);
  links.waited(150_000, 's1:2->h2:1', 700);
  links.waited(50_000, 's1:2->h2:1', 300);
  links.waited(10_000, 'nowhere', 9);
  links.counted(250_000, sent(2500, 0));
  links.waited(260_000, 's1:1->h1:1', 40);
  links.counted(300_000, sent(2500, 100, 3));
  links.counted(300_000, sent(9999, 9999));
  const { intervalUs, links: found, droppedPackets } = links.timelines();
  expect(intervalUs).toBe(100_000);
  expect(found[0]?.sentBytes).toEqual([1000, 1000, 500, 0]);
  expect(found[1]?.sentBytes).toEqual([0, 0, 100, 0]);
  expect(found[1]?.queuePeakBytes).toEqual([300, 700, 0, 0]);
  expect(found[0]?.queuePeakBytes).toEqual([0, 0, 40, 0]);
  expect(droppedPackets).toEqual([0, 0, 3, 0]);
  expect(links.totals[1]).toEqual({ sentBytes: 100, queuePeakBytes: 700 });
});

test('a day takes as many intervals as some minutes', () => {
  const links = new LiveLinks(LINKS);
  for (let s = 1; s <= 86_400; s += 7) {
    links.waited(s * 1e6 - 1, 's1:1->h1:1', s);
    links.counted(s * 1e6, sent(s * 1000, 0));
  }
  const { links: found } = links.timelines();
  expect(found[0]?.sentBytes.length).toBeLessThanOrEqual(512);
  expect(Math.max(...(found[0]?.queuePeakBytes ?? []))).toBe(86_395);
  expect(found[0]?.sentBytes.reduce((sum, n) => sum + n, 0)).toBeCloseTo(86_395_000, 0);
});
