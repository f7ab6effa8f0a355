import { networkOf } from '../../../../../emulator/view/data/network';
import { RESULT } from '../../../../support/result';

test('hosts of one switch stand side by side, below it', () => {
  const nodes = ['s1', 's2', 'h1', 'h2', 'h3', 'h4'].map((name) => ({
    name,
    kind: name.startsWith('s') ? ('switch' as const) : ('host' as const),
  }));
  const link = (a: string, b: string) => ({ a, b, rateGbps: 1, delayUs: 0 });
  const links = [link('h1', 's1'), link('s2', 'h2'), link('h3', 's1'), link('h4', 's2')];
  const placed = networkOf({ ...RESULT, topology: { nodes, links } }).nodes;
  const hosts = placed.filter(({ kind }) => kind === 'host').sort((a, b) => a.x - b.x);
  expect(hosts.map(({ name }) => name)).toEqual(['h1', 'h3', 'h2', 'h4']);
  expect(new Set(hosts.map(({ row }) => row))).toEqual(new Set([1]));
});

test('each direction of a link has its load in thousandths and its queue, per interval', () => {
  const [link] = RESULT.links;
  const name = link?.name ?? '';
  const capacity = (link?.rateGbps ?? 0) * 125 * 2;
  const timelines = {
    intervalUs: 2,
    links: RESULT.links.map((each) => ({
      name: each.name,
      sentBytes: [capacity, capacity / 4],
      queuePeakBytes: [0, 7],
    })),
    droppedPackets: [0, 0],
    feedbackPackets: [0, 0],
  };
  const network = networkOf({ ...RESULT, timelines });
  expect(network.intervalUs).toBe(2);
  expect(network.links.find((each) => each.name === name)).toMatchObject({
    load: [1000, 250],
    queueBytes: [0, 7],
  });
});

test('a run that nobody watched all the time has its average load', () => {
  const network = networkOf({ ...RESULT, durationUs: 10 });
  expect(network.intervalUs).toBe(10);
  expect(network.links.map(({ load }) => load.length)).toEqual(RESULT.links.map(() => 1));
});

test('of a network of 5,000 hosts the busiest directions are drawn, with their ends', () => {
  const hosts = Array.from({ length: 5000 }, (_, i) => `h${i}`);
  const names = [...Array.from({ length: 250 }, (_, i) => `s${i}`), ...hosts];
  const nodes = names.map((name) => ({
    name,
    kind: name.startsWith('s') ? ('switch' as const) : ('host' as const),
  }));
  const wires = hosts.map((b, i) => ({ a: `s${i % 250}`, b, rateGbps: 100, delayUs: 1 }));
  const links = wires.flatMap(({ a, b }, i) =>
    [`${a}:${i}->${b}:0`, `${b}:0->${a}:${i}`].map((name, way) => ({
      name,
      rateGbps: 100,
      packets: 1,
      bytes: i,
      lostPackets: 0,
      queuePeakBytes: way === 0 && i === 7 ? 900 : 0,
    })),
  );
  const network = networkOf({ ...RESULT, topology: { nodes, links: wires }, links });
  expect(network.links).toHaveLength(1000);
  expect(network.linksOmitted).toBe(9000);
  expect(network.links[0]?.name).toBe('s7:7->h7:0');
  expect(network.links[1]?.name).toBe('s0:4500->h4500:0');
  const shown = new Set(network.links.flatMap(({ from, to }) => [from, to]));
  expect(shown.size).toBe(network.nodes.length);
  expect(network.nodes.every(({ x }) => x > 0 && x < 1)).toBe(true);
  expect(network.queuePeakBytes).toBe(900);
});
