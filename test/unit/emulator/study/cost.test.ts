import { costText } from '../../../../emulator/study/cost';
import type { FigureRow } from '../../../../emulator/study/table';

const row = (durationMs: number, memoryBytes: number, packetHops?: number): FigureRow =>
  ({
    figures: new Map(packetHops === undefined ? [] : [['counters.packetHops', packetHops]]),
    provenance: { version: 'v', commit: 'c', host: 'h', durationMs, memoryBytes },
  }) as unknown as FigureRow;

describe('the cost of cells', () => {
  test('goes from the least to the most', () => {
    const rows = [row(50_000, 200e6, 2_500_000), row(10_000, 400e6, 1_000_000)];
    expect(costText(rows)).toBe(
      'Each of 2 finished cells took 10 to 50 s, 200 to 400 MB, 50 to 100 thousand packet-hops a second, set-up included.',
    );
  });

  test('has one value where all are equal, and no speed where nobody counted', () => {
    expect(costText([row(1234, 5e6)])).toBe('The finished cell took 1.23 s, 5 MB.');
  });

  test('is none without cells', () => {
    expect(costText([])).toBeUndefined();
  });
});
