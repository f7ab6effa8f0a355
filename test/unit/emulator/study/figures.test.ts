import { figureFault, figuresAt } from '../../../../emulator/study/figures';
import type { Summary } from '../../../../emulator/study/summary';

describe('figures of a study', () => {
  test.each([
    'jain',
    'fctUs.median',
    'bottleneck.queueP99Bytes',
    'allFlows.slowdown.p99',
    'slowdowns.*.p99',
    'slowdowns.3.p50',
    'counters.drops.queueFull',
    'traffic.feedback.bytes',
  ])('may be %s', (path) => {
    expect(figureFault(path)).toBeUndefined();
  });

  test.each([
    ['fctUs', "'fctUs' is no number: it has min, median, max"],
    ['fctUs.mean', "no figure 'fctUs.mean': fctUs has min, median, max"],
    ['slowdowns.p99', "no figure 'slowdowns.p99': slowdowns has an index, or * for all"],
    ['flows.0.fctUs', "no figure 'flows.0.fctUs': the result has"],
    ['jain.x', "no figure 'jain.x': jain has nothing inside"],
  ])('cannot be %s', (path, message) => {
    expect(figureFault(path)).toContain(message);
  });

  test('are all elements where the path says so, and nothing where the run has none', () => {
    const bins = [{ p99: 1.5 }, { p99: 2.5 }];
    const summary = { slowdowns: bins, jain: null, fctUs: null } as unknown as Summary;
    expect([...figuresAt(summary, 'slowdowns.*.p99')]).toEqual([
      ['slowdowns.0.p99', 1.5],
      ['slowdowns.1.p99', 2.5],
    ]);
    expect(figuresAt(summary, 'jain').size).toBe(0);
    expect(figuresAt(summary, 'fctUs.median').size).toBe(0);
  });
});
