import type { Connection } from '../../../../../emulator/workload/connection';
import { connectionsOf } from '../../../../../emulator/workload/kinds/connections';
import { workloadSchema } from '../../../../../emulator/workload/kinds/workload';

const HOSTS = Array.from({ length: 8 }, (_, i) => ({ name: `h${i + 1}`, rateGbps: 100 }));

function expand(given: object | readonly object[], seed = 1): readonly Connection[] {
  const workloads = [given].flat().map((one) => workloadSchema.parse({ name: 'w', ...one }));
  return connectionsOf({ flows: [], workloads }, { seed, hosts: HOSTS }).connections;
}

const startOf = ({ messages }: Connection): number => messages[0]?.startUs ?? NaN;
const bytesOf = ({ messages }: Connection): number => messages[0]?.bytes ?? NaN;

/** Payload over what the links of all hosts carry meanwhile. */
function load(connections: readonly Connection[], durationUs: number): number {
  const bytes = connections.reduce((sum, each) => sum + bytesOf(each), 0);
  return (bytes * 8) / (durationUs * 1000 * 100 * HOSTS.length);
}

describe('Poisson traffic', () => {
  const traffic = {
    kind: 'poisson',
    distribution: [
      [0, 0],
      [20_000, 100],
    ],
    load: 0.5,
    durationUs: 10_000,
  };
  const flows = expand(traffic);

  it('offers its load to every host', () => {
    expect(load(flows, 10_000)).toBeGreaterThan(0.48);
    expect(load(flows, 10_000)).toBeLessThan(0.52);
    for (const { name } of HOSTS) {
      expect(
        load(
          flows.filter(({ from }) => from === name),
          10_000,
        ) * 8,
      ).toBeCloseTo(0.5, 1);
    }
  });

  it('goes from every host to each of the others, as often, and never to itself', () => {
    const pairs = new Map<string, number>();
    for (const { from, to } of flows) {
      pairs.set(`${from} ${to}`, (pairs.get(`${from} ${to}`) ?? 0) + 1);
    }
    expect(pairs.size).toBe(8 * 7);
    const mean = flows.length / pairs.size;
    for (const count of pairs.values()) expect(Math.abs(count / mean - 1)).toBeLessThan(0.2);
  });

  it('arrives between its start and its end, in order', () => {
    const late = expand({ ...traffic, startUs: 500, durationUs: 1000 }).map(startOf);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(500);
    expect(Math.max(...late)).toBeLessThan(1500);
    expect(late).toEqual([...late].sort((a, b) => a - b));
  });

  it('has gaps whose deviation is their mean, as a Poisson process has', () => {
    const starts = flows.map(startOf);
    const gaps = starts.slice(1).map((start, i) => start - (starts[i] ?? 0));
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
    expect(Math.sqrt(variance) / mean).toBeCloseTo(1, 1);
  });

  it('depends on the seed, and on nothing that stands before or behind it', () => {
    expect(expand(traffic, 1)).toEqual(flows);
    expect(expand(traffic, 2)).not.toEqual(flows);
    const permutation = { kind: 'permutation', bytes: 5 };
    expect(expand([traffic, permutation]).slice(0, flows.length)).toEqual(flows);
  });

  it('takes place among the hosts that it names', () => {
    const few = expand({ ...traffic, hosts: ['h2', 'h5'] });
    expect(new Set(few.map(({ from, to }) => `${from} ${to}`))).toEqual(
      new Set(['h2 h5', 'h5 h2']),
    );
  });

  it.each([
    [{ hosts: ['h2', 'h99'] }, 'workload w: h99 is no host of the topology'],
    [{ hosts: ['h2', 'h2'] }, 'workload w: h2 appears twice'],
    [{ hosts: ['h2'] }, 'workload w needs at least 2 hosts, found 1'],
    [{ distribution: [[5, 50]] }, 'workload w: the last point must be at 100 %, found 50 %'],
    [{ distribution: 'Nowhere' }, "workload w: distribution 'Nowhere' has not been read"],
    [{ durationUs: 1e9 }, 'workload w: about 6.3e+8 arrivals, expected at most 5000000'],
  ])('is refused with %j', (change, message) => {
    expect(() => expand({ ...traffic, ...change })).toThrow(message);
  });

  it.each([
    [1.2, 'must be at most 1: a host cannot offer more than its link carries'],
    [0, 'must be above 0'],
  ])('is refused with a load of %d', (bad, message) => {
    expect(() => expand({ ...traffic, load: bad })).toThrow(message);
  });
});

describe('random incasts', () => {
  const incasts = { kind: 'random-incast', fanIn: 4, bytes: 10_000, share: 0.1, durationUs: 5000 };
  const flows = expand(incasts);

  it('bring so many different senders to one receiver at once', () => {
    expect(flows.length % 4).toBe(0);
    for (let i = 0; i < flows.length; i += 4) {
      const group = flows.slice(i, i + 4);
      expect(new Set(group.map(startOf)).size).toBe(1);
      expect(new Set(group.map(({ to }) => to)).size).toBe(1);
      expect(new Set([...group.map(({ from }) => from), group[0]?.to]).size).toBe(5);
      expect(group.map(bytesOf)).toEqual([10_000, 10_000, 10_000, 10_000]);
    }
  });

  it('take their share of the capacity, each host as often', () => {
    expect(load(flows, 5000)).toBeGreaterThan(0.09);
    expect(load(flows, 5000)).toBeLessThan(0.11);
    const receivers = new Set(flows.map(({ to }) => to));
    expect(receivers.size).toBe(8);
  });

  it('are refused with more senders than there are other hosts', () => {
    expect(() => expand({ ...incasts, fanIn: 8 })).toThrow(
      'workload w: fanIn must be below the number of hosts (8), found 8',
    );
  });
});

describe('a permutation', () => {
  it.each([1, 2, 3, 4, 5])(
    'gives every host one peer to send to and one to receive from',
    (seed) => {
      const flows = expand({ kind: 'permutation', bytes: 5 }, seed);
      expect(flows.map(({ from }) => from)).toEqual(HOSTS.map(({ name }) => name));
      expect(new Set(flows.map(({ to }) => to)).size).toBe(8);
      expect(flows.every(({ from, to }) => from !== to)).toBe(true);
    },
  );

  it('is another one with another seed, and waits for all before it goes on', () => {
    const permutation = { kind: 'permutation', bytes: 5, iterations: 2, computeUs: 3 };
    const flows = expand(permutation, 1);
    expect(flows.map(({ to }) => to)).not.toEqual(expand(permutation, 2).map(({ to }) => to));
    expect(flows[0]?.messages[1]).toEqual({
      bytes: 5,
      startUs: 0,
      after: HOSTS.map((_, connection) => ({ connection, message: 0 })),
      delayUs: 3,
    });
  });
});
