import { slowdownsBySize } from '../../../../emulator/result/slowdowns';

const flows = (count: number, bytesOf: (i: number) => number) =>
  Array.from({ length: count }, (_, i) => ({ bytes: bytesOf(i), slowdown: 1 + (i % 100) / 100 }));

describe('slowdowns by flow size', () => {
  it('are twenty bins of equally many flows where there are enough', () => {
    const bins = slowdownsBySize(flows(2000, (i) => i + 1)) ?? [];
    expect(bins).toHaveLength(20);
    expect(bins.map((bin) => bin.flows)).toEqual(Array.from({ length: 20 }, () => 100));
    expect(bins[3]).toEqual({
      fromBytes: 301,
      toBytes: 400,
      flows: 100,
      p50: 1.49,
      p95: 1.94,
      p99: 1.98,
      p999: 1.99,
    });
  });

  it('have at least fifty flows in each', () => {
    expect(slowdownsBySize(flows(160, (i) => i))).toHaveLength(3);
  });

  it('keep flows of one size together, and lose none', () => {
    const bins = slowdownsBySize(flows(400, (i) => (i < 250 ? 10 : i))) ?? [];
    expect(bins[0]).toMatchObject({ fromBytes: 10, toBytes: 10, flows: 250 });
    expect(bins.reduce((sum, bin) => sum + bin.flows, 0)).toBe(400);
  });

  it('leave unfinished flows out', () => {
    const unfinished = { bytes: 5, slowdown: null };
    const bins = slowdownsBySize([...flows(100, (i) => i), unfinished, unfinished]) ?? [];
    expect(bins.reduce((sum, bin) => sum + bin.flows, 0)).toBe(100);
  });

  it('are not told of few flows, or of flows of one size', () => {
    expect(slowdownsBySize(flows(99, (i) => i))).toBeUndefined();
    expect(slowdownsBySize(flows(500, () => 7))).toBeUndefined();
  });
});
