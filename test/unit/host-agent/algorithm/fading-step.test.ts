import { FadingStep } from '../../../../host-agent/algorithm/additive-step';

const LAST = { isLastLink: true };
const INNER = { isLastLink: false };

describe('the step of counted flows', () => {
  test('is the configured one until flows are counted, and on other links', () => {
    const step = new FadingStep(26);
    expect(step.at(LAST, { U: 0.5 })).toBe(26);
    step.count(650);
    expect(step.at(INNER, { U: 0.5 })).toBe(26);
    expect(step.at(LAST, { U: 0.5 })).toBe(650);
  });

  test('shrinks with what is in flight beyond the link, without a jump', () => {
    const step = new FadingStep(26);
    step.count(650);
    expect(step.at(LAST, { U: 1 })).toBe(650);
    expect(step.at(LAST, { U: 1 + 1e-9 })).toBeCloseTo(650, 5);
    expect(step.at(LAST, { U: 13 })).toBeCloseTo(50, 9);
  });

  test('is the configured one where no headroom is left to share', () => {
    const step = new FadingStep(26);
    step.count(0);
    expect(step.at(LAST, { U: 0.5 })).toBe(26);
  });

  test('follows T', () => {
    const step = new FadingStep(26);
    step.count(650);
    const twice = step.scaledBy(2);
    expect(twice.at(LAST, { U: 0.5 })).toBe(1300);
    expect(twice.at(INNER, { U: 0.5 })).toBe(52);
  });

  test('evens out two windows by eta per round trip, and fills the link', () => {
    const [size, eta] = [52_000, 0.95];
    const step = new FadingStep(26);
    step.count((size * (1 - eta)) / 2);
    let windows = [size, 0];
    for (let round = 0; round < 40; round++) {
      const U = windows.reduce((sum, each) => sum + each, 0) / size;
      windows = windows.map((each) => (each * eta) / U + step.at(LAST, { U }));
    }
    const [a = 0, b = 0] = windows;
    expect(a + b).toBeCloseTo(size, 3);
    expect((a - b) / size).toBeCloseTo(eta ** 40, 6);
  });
});
