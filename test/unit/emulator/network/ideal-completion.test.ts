import { IdealTimes, idealCompletionTime } from '../../../../emulator/network/ideal-completion';
import { Paths, baseRtt } from '../../../../emulator/network/paths';
import { planNetwork } from '../../../../emulator/network/plan';
import type { NetworkPlan, PlannedLink } from '../../../../emulator/network/plan';
import { expandTopology } from '../../../../emulator/scenario/expand-topology';
import type { TopologyDocument } from '../../../../emulator/scenario/schema';

const UNITS = { clockUnitNs: 1, queueDepthUnitBytes: 32, txUnitBytes: 1 };
const FRAMES = { data: 1074, payload: 1000, hop: 32, acknowledgement: 74, echoedHop: 32 };

const planOf = (document: TopologyDocument): NetworkPlan =>
  planNetwork(expandTopology(document), UNITS);

describe('the ideal completion time', () => {
  const star = planOf({ kind: 'star', hosts: 2, rateGbps: 100, delayNs: 1000 });
  const path = new Paths(star).between('h1', 'h2');

  test('of one segment is its round trip', () => {
    expect(idealCompletionTime(path, FRAMES, 1000)).toBe(baseRtt(path, FRAMES));
  });

  test('of many adds the others at the size they have on the bottleneck', () => {
    // 9 more frames of 1106 bytes at 80 ps per byte.
    const expected = baseRtt(path, FRAMES) + 9 * 1106 * 80;
    expect(idealCompletionTime(path, FRAMES, 10_000)).toBe(expected);
  });

  test('waits for the slowest link, wherever it is', () => {
    const slow = path.map((link, i) => (i === 0 ? { ...link, rate: 10e9 } : link));
    // 9 more frames of 1074 bytes at 800 ps per byte: the first link has no telemetry yet.
    const expected = baseRtt(slow, FRAMES) + 9 * 1074 * 800;
    expect(idealCompletionTime(slow, FRAMES, 10_000)).toBe(expected);
  });

  test('of less than a segment is the round trip of a smaller frame', () => {
    const small = baseRtt(path, { ...FRAMES, data: 74 + 10, payload: 10 });
    expect(idealCompletionTime(path, FRAMES, 10)).toBe(small);
  });

  test('has a smaller last frame wait for the full one before it', () => {
    // The frame of 84 bytes reaches the second link while the one before is there: 1106 + 116 bytes.
    const expected = baseRtt(path, FRAMES) + (84 + 32) * 80;
    expect(idealCompletionTime(path, FRAMES, 1010)).toBe(expected);
  });
});

describe('the ideal time between two hosts', () => {
  /** Two ways: s1 s2 with a slow link, and s1 s3 s4 s2 without. */
  const plan = planOf({
    kind: 'custom',
    switches: ['s1', 's2', 's3', 's4'],
    hosts: ['a', 'b'],
    links: [
      ['a', 's1', 100],
      ['s1', 's2', 10],
      ['s1', 's3', 100],
      ['s3', 's4', 100],
      ['s4', 's2', 100],
      ['s2', 'b', 100],
    ].map(([one, other, rateGbps]) => ({
      between: [String(one), String(other)] as [string, string],
      rateGbps: Number(rateGbps),
      delayNs: 1000,
      lossRate: 0,
    })),
  });
  const { links } = plan;
  const times = new IdealTimes(plan, FRAMES);
  const along = (...nodes: string[]): readonly PlannedLink[] =>
    nodes.slice(1).map((node, i) => {
      const ends = [nodes[i], node].sort().join();
      return links.find(({ a, b }) => [a.node, b.node].sort().join() === ends) as PlannedLink;
    });
  const short = along('a', 's1', 's2', 'b');
  const fast = along('a', 's1', 's3', 's4', 's2', 'b');

  test('is that of the short way for a byte, and of the fast one for many', () => {
    expect(times.of('a', 'b', 1)).toBe(idealCompletionTime(short, FRAMES, 1));
    expect(times.of('a', 'b', 1e6)).toBe(idealCompletionTime(fast, FRAMES, 1e6));
    expect(times.of('b', 'a', 1e6)).toBe(idealCompletionTime(fast, FRAMES, 1e6));
  });

  test('takes the quicker of two links with one rate', () => {
    const slower = links.map((link) => ({ ...link, delay: 2 * link.delay }));
    expect(
      new IdealTimes({ ...plan, links: [...slower, ...links] }, FRAMES).of('a', 'b', 1e6),
    ).toBe(times.of('a', 'b', 1e6));
  });
});
