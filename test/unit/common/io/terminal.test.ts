import { alignedTable } from '../../../../common/io/terminal';

describe('a table on a terminal', () => {
  it('aligns the first column to the left and the others to the right', () => {
    expect(
      alignedTable([
        ['flow', 'rate', 'U'],
        ['1', '92.5 Gb/s', '0.95'],
      ]),
    ).toBe('flow       rate     U\n1     92.5 Gb/s  0.95');
  });

  it('aligns words to the left, with a number among them or without', () => {
    const rows = [
      ['name', 'verdict', 'found'],
      ['a', 'met', '12'],
      ['b', '2 MISSED', '7'],
      ['c', 'unknown', '-'],
    ];
    expect(alignedTable(rows).split('\n')).toEqual([
      'name  verdict   found',
      'a     met          12',
      'b     2 MISSED      7',
      'c     unknown       -',
    ]);
  });

  it('lets a sentence begin where its column does, and widens nothing for it', () => {
    const sentence = 'rank 89 on h12 is done last, after messages in the network';
    const table = alignedTable([
      ['step time', '7079 us'],
      ['slowest rank', sentence],
    ]);
    expect(table.split('\n')).toEqual(['step time     7079 us', `slowest rank  ${sentence}`]);
  });
});
