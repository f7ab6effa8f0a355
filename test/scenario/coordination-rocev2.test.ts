import { coordinationRow } from '../../emulator/result/comparison';
import type { CoordinationRow } from '../../emulator/result/comparison';
import { scenarioInMode } from '../../emulator/scenario/variants';
import type { CoordinationMode } from '../../emulator/scenario/variants';
import { runScenario } from '../support/shared-runs';
import { loadScenario, scenarioVariant } from '../../emulator/io/inputs/scenario-files';

/** Figures of a run by READ in which no invariant breaks and no host refuses a packet. */
async function rowOf(mode: CoordinationMode): Promise<CoordinationRow> {
  const scenario = scenarioInMode(scenarioVariant(loadScenario('ccm-both'), 'read'), mode);
  const { result } = await runScenario({ scenario, seed: 1 });
  expect([result.violations, result.counters.hostRejections]).toEqual([[], {}]);
  const row = coordinationRow(result);
  expect([row.unfinished, row.taggedReroutes]).toEqual([0, 0]);
  return row;
}

describe('coordination over RoCEv2', () => {
  // READ, where data and the flow's start are at different hosts; WRITE, and other choices of paths, are test/campaigns/coordination-*.yaml.
  it('controls an incast and nothing else, and carries more than ECMP', async () => {
    const ecmp = await rowOf('ecmp');
    const row = await rowOf('coordinated');
    // Four flows into one host; the three others have lighter paths.
    expect(row).toMatchObject({ tagged: 4, reordered: 0 });
    expect(row.reductionsBelowFair).toBeLessThan(ecmp.reductionsBelowFair / 2);
    expect(row.controlRequired).toBeGreaterThanOrEqual(4);
    expect(row.throughputGbps).toBeGreaterThan(1.3 * ecmp.throughputGbps);
  });
});
