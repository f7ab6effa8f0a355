import { Trace } from '../../../../mininet/observation/trace';
import type { TraceLine } from '../../../../mininet/observation/outputs';

const lineOf = (i: number): TraceLine => ({
  t: i / 7,
  flow: 1,
  windowBytes: 1000 * i,
  rateBps: 3e9 + i,
  hops: Array.from({ length: i % 6 }, (_, hop) => [2 ** 48 - 1 - hop, i * hop, null]),
  normalizedInflight: i % 3 === 0 ? null : i / 10,
});

test('a trace has every line that was appended, however many, with hops from none to many', () => {
  const lines = Array.from({ length: 1000 }, (_, i) => lineOf(i));
  const trace = new Trace();
  expect([trace.length, trace.hopCount]).toEqual([0, 0]);
  for (const line of lines) trace.append(line, line.t - 1);
  expect(trace.length).toBe(1000);
  expect(trace.hopCount).toBe(lines.reduce((sum, { hops }) => sum + hops.length, 0));
  lines.forEach(({ t, windowBytes, rateBps, hops, normalizedInflight }, row) => {
    const from = trace.hopStart(row);
    expect(trace.hopEnd(row) - from).toBe(hops.length);
    expect([trace.seconds(row), trace.windowBytes(row), trace.rateBps(row)]).toEqual([
      t - 1,
      windowBytes,
      rateBps,
    ]);
    expect(trace.normalizedInflight(row)).toBe(normalizedInflight);
    hops.forEach(([node, queue], i) => {
      expect([trace.hopNode(from + i), trace.hopQueueBytes(from + i)]).toEqual([node, queue]);
    });
  });
});
