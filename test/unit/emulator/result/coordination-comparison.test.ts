import { coordinationRow, meanRow } from '../../../../emulator/result/comparison';
import { coordinationSections } from '../../../../emulator/view/data/coordination-sections';
import type { CoordinationRecord } from '../../../../emulator/result/coordination-record';
import type { Result } from '../../../../emulator/result/result';
import { RESULT } from '../../../support/result';

const COUNTS = { controlRequired: 3, controlReleased: 2, reroutingRequired: 1 };

const RECORD: CoordinationRecord = {
  mode: 'coordinated',
  packets: 50,
  reordered: 4,
  reroutes: 2,
  taggedReroutes: 0,
  sourceReroutes: 1,
  reductionsBelowFair: 0,
  sent: COUNTS,
  received: COUNTS,
  taken: COUNTS,
  outdatedRequests: 0,
  controlled: [],
  tagged: 3,
  released: 2,
  expired: 1,
  marked: 0,
  refused: { replayed: 7 },
  flows: [],
  log: [{ atUs: 1.5, what: 'path', node: 's<1>', flow: 1, detail: 'h2' }],
  logOmitted: 2,
};

const COLLECTIVE = { name: 'w', kind: 'incast', connections: 2, bytes: 100, startUs: 10 };

const result = (completionUs: number | null): Result => ({
  ...RESULT,
  collectives: [{ ...COLLECTIVE, completionUs }],
  coordination: RECORD,
});

describe('a row of the comparison', () => {
  it('has the end of the last workload and the counts', () => {
    expect(coordinationRow(result(30))).toMatchObject({
      runs: 1,
      completionUs: 40,
      packets: 50,
      reordered: 4,
      reroutes: 3,
      controlRequired: 3,
      controlReleased: 2,
      reroutingRequired: 1,
      expired: 1,
    });
    expect(coordinationRow(result(null)).completionUs).toBeNull();
  });

  it('is a mean over seeds, of what no run lacks', () => {
    const rows = [coordinationRow(result(30)), coordinationRow(result(50))];
    expect(meanRow(rows)).toMatchObject({ runs: 2, completionUs: 50, reordered: 4 });
    const broken = [...rows, coordinationRow(result(null))];
    expect(meanRow(broken).completionUs).toBeNull();
  });
});

describe('the sections of the report', () => {
  it('show workloads, counts and the log, as text', () => {
    const [workloads, counts, log] = coordinationSections(result(30));
    expect(workloads?.rows?.[1]).toEqual(['w (incast)', '2', '100', '10.00', '30.00']);
    expect(counts?.rows).toContainEqual(['notifications refused, replayed', '7']);
    expect(log?.rows?.flat()).toContain('s<1>');
    expect(log?.text).toEqual(['and 2 more']);
  });

  it('are none for a run without coordination', () => {
    expect(coordinationSections(RESULT)).toEqual([]);
  });
});
