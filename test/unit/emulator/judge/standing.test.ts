import { standingsOf } from '../../../../emulator/judge/standing';
import type { ContestRow } from '../../../../emulator/judge/standing';

const row = (algorithm: string, contest: string, fctMaxUs: number, queueP99Bytes: number) =>
  ({
    algorithm,
    contest,
    spread: 'ecmp',
    figures: { fctMaxUs, slowdownP99: 1, queueP99Bytes, retransmittedSegments: 0 },
  }) satisfies ContestRow;

describe('where algorithms stand', () => {
  const rows: ContestRow[] = [
    row('quick', 'a', 100, 9000),
    row('quick', 'b', 200, 9000),
    row('calm', 'a', 200, 1000),
    row('calm', 'b', 200, 3000),
    row('bad', 'a', 200, 9000),
    row('bad', 'b', 400, 9000),
  ];

  test('means are over contests, and the front has those that nobody beats', () => {
    const [quick, calm, bad] = standingsOf(rows, 'ecmp');
    expect(quick).toMatchObject({ completion: 1, queueP99Bytes: 9000, dominatedBy: [] });
    expect(calm?.completion).toBeCloseTo(Math.SQRT2);
    expect(calm).toMatchObject({ queueP99Bytes: 2000, failed: 0, dominatedBy: [] });
    expect(bad?.dominatedBy).toEqual(['quick', 'calm']);
    expect(standingsOf(rows, 'sprayed')).toEqual([]);
  });

  test('a contest that was not finished counts against an algorithm, and beats nobody', () => {
    const lost: ContestRow = {
      algorithm: 'calm',
      contest: 'c',
      spread: 'ecmp',
      figures: { failure: 'one flow was not complete' },
    };
    const [, calm, bad] = standingsOf([...rows, lost], 'ecmp');
    expect(calm?.failed).toBe(1);
    expect(bad?.dominatedBy).toEqual(['quick']);
  });
});
