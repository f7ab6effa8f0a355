import { judge } from '../../../../mininet/figures/bars';
import { FIGURES } from '../../../../mininet/experiment/experiment';
import type { FigureName } from '../../../../mininet/experiment/experiment';
import type { Figures } from '../../../../mininet/figures/figures';
import { carriedRate, isRampOver, nextCase } from '../../../../mininet/figures/summary';
import { machineOf } from '../../../../mininet/observation/machine';
import { preparedCases, singleFlow } from '../../../support/mininet-fixture';

function figures(known: Partial<Record<FigureName, number>>): Figures {
  const all = FIGURES.map((name) => [name, known[name] ?? null]);
  return Object.fromEntries(all) as Figures;
}

describe('bars', () => {
  test('are met, missed, or cannot be told', () => {
    const cases = new Map([['only', figures({ utilisation: 0.94, drops: 1 })]]);
    const bars = [
      { figure: 'utilisation', atLeast: 0.93 },
      { figure: 'drops', atMost: 0 },
      { figure: 'jainSecondHalf', atLeast: 0.9 },
    ] as const;
    expect(judge(bars, cases)).toEqual([
      { bar: 'utilisation at least 93 %', figure: 'utilisation', found: 0.94, isMet: true },
      { bar: 'drops at most 0', figure: 'drops', found: 1, isMet: false },
      {
        bar: "Jain's index, second half at least 0.9",
        figure: 'jainSecondHalf',
        found: null,
        isMet: false,
      },
    ]);
  });

  test('relate one case to another', () => {
    const cases = new Map([
      ['hpcc', figures({ throughputMbps: 9 })],
      ['cubic', figures({ throughputMbps: 10 })],
    ]);
    const [own] = judge(
      [{ figure: 'throughputMbps', atLeast: 0.9, case: 'hpcc', relativeTo: 'cubic' }],
      cases,
    );
    expect(own).toEqual({ bar: "hpcc: payload at least 0.9 of cubic's", found: 0.9, isMet: true });
    const all = judge([{ figure: 'throughputMbps', atLeast: 0.9 }], cases);
    expect(all.map(({ bar }) => bar)).toEqual([
      'hpcc: payload at least 0.9 Mb/s',
      'cubic: payload at least 0.9 Mb/s',
    ]);
  });
});

describe('a ramp', () => {
  const [prepared] = preparedCases('capacity');
  const machine = machineOf(singleFlow(), {
    kind: 'embedded',
    capacity: undefined,
    realtime: false,
    lighter: '',
  });
  const step = (rateMbps: number, leftMean: number, utilisation: number) => ({
    machine: { ...machine, leftMean },
    figures: figures({ rateMbps, utilisation }),
  });

  test('is over when the processors are busy or the link is not filled', () => {
    const document = prepared?.own.document;
    if (document === undefined) throw new Error('there is a case');
    expect(isRampOver(document, step(10, 0.6, 0.94))).toBe(false);
    expect(isRampOver(document, step(10, 0.2, 0.94))).toBe(true);
    expect(isRampOver(document, step(10, 0.6, 0.5))).toBe(true);
    expect(carriedRate(document, [step(10, 0.6, 0.94), step(16, 0.2, 0.94)])).toBe(10);
    // The last runs are between two steps.
    const halved = [step(10, 0.6, 0.94), step(16, 0.2, 0.94), step(13, 0.4, 0.9), step(14, 0.2, 1)];
    expect(carriedRate(document, halved)).toBe(13);
  });

  test('goes up by steps, and halves the gap in which it has ended', () => {
    const isStep = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => i % 4 === 0);
    /** The cases that run on a machine that carries all below one. */
    const runs = (end: number): number[] => {
      const wasOver = new Map<number, boolean>();
      for (let next = nextCase(isStep, wasOver); next !== undefined;) {
        wasOver.set(next, next >= end);
        next = nextCase(isStep, wasOver);
      }
      return [...wasOver.keys()];
    };
    expect(runs(7)).toEqual([0, 4, 8, 6, 7]);
    expect(runs(5)).toEqual([0, 4, 8, 6, 5]);
    expect(runs(4)).toEqual([0, 4, 2, 3]);
    expect(runs(9)).toEqual([0, 4, 8]);
    expect(runs(0)).toEqual([0]);
  });
});
