import { validityText, verdictText } from '../../../../mininet/figures/words';
import type { MininetResult } from '../../../../mininet/figures/mininet-result';

const result = (reasons: readonly string[], ...isMet: readonly boolean[]): MininetResult =>
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

  test('is short where a sentence goes on', () => {
    expect(validityText(result([], true, false))).toBe('valid, and 1 of 2 bars MISSED');
    const busy = result(['it was busy'], true);
    expect(validityText(busy)).toBe('INVALID, these may be figures of the machine');
    const free = { ...busy, uncontrolled: 'flow 1' };
    expect(validityText(free)).toBe('NOT CONTROLLED: flow 1');
  });
});
