import { verdictText } from '../../../../mininet/figures/words';
import type { MininetResult } from '../../../../mininet/figures/mininet-result';

type Verdict = Parameters<typeof verdictText>[0];

const result = (reasons: readonly string[], ...isMet: readonly boolean[]): Verdict =>
  ({
    machine: { valid: reasons.length === 0, reasons },
    bars: isMet.map((each) => ({ bar: 'utilisation >= 0.9', found: 0.5, isMet: each })),
  }) as unknown as MininetResult;

describe('the verdict about a run', () => {
  test.each([
    ['valid', result([])],
    ['valid, and all 2 bars met', result([], true, true)],
    ['valid, and 1 of 2 bars MISSED', result([], true, false)],
    [
      'INVALID, its figures and bars may be those of the machine: it was busy; f1 ended with 1',
      result(['it was busy', 'f1 ended with 1'], true),
    ],
    ['INVALID, its figures may be those of the machine: it was busy', result(['it was busy'])],
  ])('is one: %s', (text, run) => {
    expect(verdictText(run)).toBe(text);
  });
});
