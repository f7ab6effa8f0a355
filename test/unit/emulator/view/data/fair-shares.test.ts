import { fairShares } from '../../../../../emulator/view/data/fair-shares';
import type { FlowRecord, Result } from '../../../../../emulator/result/result';
import { RESULT } from '../../../../support/result';

const SCALES = { time: { unit: 'us', factor: 1 }, rate: { unit: 'Gb/s', factor: 1 } };

type Ends = readonly [source: string, destination: string, startUs: number, fctUs: number | null];

/** A star of hosts of 100 Gb/s, but for h4, whose link has 40. */
function resultOf(flows: readonly Ends[]): Result {
  const [first] = RESULT.flows as [FlowRecord];
  const hosts = ['h1', 'h2', 'h3', 'h4'];
  return {
    ...RESULT,
    durationUs: 100,
    parameters: { targetUtilization: 0.9 },
    topology: {
      nodes: [
        { name: 's1', kind: 'switch' },
        ...hosts.map((name) => ({ name, kind: 'host' as const })),
      ],
      links: hosts.map((b) => ({ a: 's1', b, rateGbps: b === 'h4' ? 40 : 100, delayUs: 1 })),
    },
    flows: flows.map(([source, destination, startUs, fctUs], i) => {
      return { ...first, id: i + 1, source, destination, startUs, fctUs };
    }),
  };
}

const linesOf = (flows: readonly Ends[]) =>
  fairShares(resultOf(flows), SCALES).map(({ name, x, y }) => [name, x, y]);

describe('fair shares over time', () => {
  test('step at each start and end of a flow that meets others, wherever that is', () => {
    // h2's link is shared by two; what the slow link to h4 leaves goes to the other.
    expect(
      linesOf([
        ['h2', 'h1', 0, 60],
        ['h2', 'h4', 20, 20],
      ]),
    ).toEqual([
      ['fair share from h2 to h1', [0, 20, 40, 60], [90, 54, 90, 90]],
      ['fair share from h2 to h4', [0, 20, 40, 50, 60], [null, 36, 36, null, null]],
    ]);
  });

  test('are one line where all that run have the same', () => {
    expect(
      linesOf([
        ['h2', 'h1', 0, 30],
        ['h3', 'h1', 10, null],
      ]),
    ).toEqual([['fair share', [0, 10, 30, 100], [90, 45, 90, 90]]]);
  });

  test('are as many lines as there are shares, named by what their flows have in common', () => {
    expect(
      linesOf([
        ['h2', 'h1', 0, 10],
        ['h3', 'h1', 0, 10],
        ['h1', 'h2', 0, 10],
      ]).map(([name, , y]) => [name, y]),
    ).toEqual([
      ['fair share to h1', [45, 45]],
      ['fair share from h1 to h2', [90, 90]],
    ]);
  });

  test('are absent for one flow, and where the result does not list all flows', () => {
    expect(linesOf([['h2', 'h1', 0, 10]])).toEqual([]);
    const some = { ...resultOf([['h2', 'h1', 0, 10]]), flowTotals: {} } as unknown as Result;
    expect(fairShares(some, SCALES)).toEqual([]);
  });

  test('of as many flows as a result lists take memory by their pairs, not by their number', () => {
    const ends = Array.from({ length: 90_000 }, (_, i): Ends => {
      const [from, to] = [i % 40, (i * 7 + Math.floor(i / 40)) % 40];
      return [`a${from}`, `b${to}`, i / 1000, 1 + (i % 97) / 10];
    });
    const names = Array.from({ length: 40 }, (_, i) => [`a${i}`, `b${i}`]).flat();
    const result = {
      ...resultOf(ends),
      topology: {
        nodes: [
          { name: 's1', kind: 'switch' as const },
          ...names.map((name) => ({ name, kind: 'host' as const })),
        ],
        links: names.map((b) => ({ a: 's1', b, rateGbps: 100, delayUs: 1 })),
      },
    };
    // Their shares are too many for lines.
    expect(fairShares(result, SCALES)).toEqual([]);
  });

  test('are absent for thousands of pairs', () => {
    const of = (pairs: number) => {
      const { topology, ...result } = resultOf(
        Array.from({ length: pairs }, (_, i): Ends => [`a${i}`, 'h1', 0, 10]),
      );
      const hosts = Array.from({ length: pairs }, (_, i) => `a${i}`);
      return {
        ...result,
        topology: {
          nodes: [...topology.nodes, ...hosts.map((name) => ({ name, kind: 'host' as const }))],
          links: [
            ...topology.links,
            ...hosts.map((b) => ({ a: 's1', b, rateGbps: 100, delayUs: 1 })),
          ],
        },
      };
    };
    expect(fairShares(of(2000), SCALES)).toHaveLength(1);
    expect(fairShares(of(2001), SCALES)).toEqual([]);
  });
});
