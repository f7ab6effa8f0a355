import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../common/io/repository';
import { runScenario } from '../support/shared-runs';
import { comparisonRow } from '../../emulator/result/comparison';
import { CARRIERS } from '../../host-agent/carrier/carriers';
import type { ComparisonRow } from '../../emulator/result/comparison';
import type { Combination } from '../support/combinations';
import { coveringPairs } from '../support/covering';
import {
  COMBINATIONS,
  COORDINATIONS,
  cross,
  combinationTables,
  leastUtilization,
  nameOf,
  scenarioOf,
  tableCells,
} from '../support/combinations';

async function rowOf(combination: Combination): Promise<ComparisonRow> {
  const scenario = scenarioOf(combination);
  const { result } = await runScenario({ scenario, seed: 1 });
  expect(result.violations).toEqual([]);
  return comparisonRow(nameOf(combination), result);
}

/** INT in all data, returned by every acknowledgement, in the same framing and coordination. */
const baselines = new Map<string, Promise<ComparisonRow>>();
function baselineOf({ framing, coordination }: Combination): Promise<ComparisonRow> {
  const key = `${framing} ${coordination}`;
  const known = baselines.get(key);
  if (known !== undefined) return known;
  const fresh = rowOf({
    framing,
    coordination,
    integrity: 'off',
    collectBy: 'data',
    collectEvery: 1,
    returnBy: 'ack',
    algorithmAt: 'sender',
    carrier: 'int',
  });
  baselines.set(key, fresh);
  return fresh;
}

const chosen = new Set(coveringPairs(COMBINATIONS));

/** One kind of switches after the other, as only those of the latest network are known. */
const inOrder = COORDINATIONS.flatMap((mode) =>
  CARRIERS.flatMap((name) =>
    COMBINATIONS.filter((each) => each.coordination === mode && each.carrier === name).filter(
      (each) => chosen.has(each),
    ),
  ),
);

describe('combinations of drafts', () => {
  test('are those of the table in the documentation', () => {
    const page = readFileSync(join(repositoryRoot(), 'docs/combinations.md'), 'utf8');
    const wanted = tableCells(combinationTables());
    expect(tableCells(page).slice(0, wanted.length)).toEqual(wanted);
  });

  test('are at least 378, of which runs cover each pair of features', () => {
    expect(COMBINATIONS.length).toBeGreaterThanOrEqual(378);
    const pairs = (many: readonly Combination[]): Set<string> =>
      new Set(
        many.flatMap((each) =>
          cross(Object.entries(each), Object.entries(each)).map((pair) => pair.flat().join()),
        ),
      );
    expect(pairs(inOrder)).toEqual(pairs(COMBINATIONS));
  });

  test.each(inOrder.map((each) => [nameOf(each), each] as const))(
    'close the loop: %s',
    async (_, combination) => {
      const [row, baseline] = [await rowOf(combination), await baselineOf(combination)];
      expect([row.unfinished, row.refused]).toEqual([0, 0]);
      expect(row.utilization).toBeGreaterThanOrEqual(leastUtilization(combination));
      expect(row.queueP99Bytes).toBeLessThanOrEqual(2 * baseline.queueP99Bytes);
    },
  );
});
