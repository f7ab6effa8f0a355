import { coordinationRow } from '../../emulator/result/comparison';
import type { CoordinationRow } from '../../emulator/result/comparison';
import { scenarioInMode } from '../../emulator/scenario/variants';
import type { CoordinationMode } from '../../emulator/scenario/variants';
import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario, scenarioVariant } from '../../emulator/io/scenario-files';

/** So many seeds of `ccm-imbalance`, `ccm-incast` and `ccm-both`, by WRITE and by READ. */
const SEEDS = Number(process.env['HPCC_COORDINATION_SEEDS'] ?? 0);

jest.setTimeout(60_000 + SEEDS * 60_000);

interface Run {
  readonly name: string;
  readonly variant: string;
  readonly mode: CoordinationMode;
  readonly seed?: number;
}

/** What a run shows in which no invariant breaks and no host refuses a packet. */
async function rowOf({ name, variant, mode, seed = 1 }: Run): Promise<CoordinationRow> {
  const scenario = scenarioInMode(scenarioVariant(loadScenario(name), variant), mode);
  const { result } = await runScenario({ scenario, seed });
  expect([result.violations, result.counters.hostRejections]).toEqual([[], {}]);
  const row = coordinationRow(result);
  expect([row.unfinished, row.taggedReroutes]).toEqual([0, 0]);
  return row;
}

describe('coordination over RoCEv2', () => {
  // READ, where data and the flow's start are at different hosts; WRITE is in the long runs.
  it('controls an incast and nothing else, and carries more than ECMP', async () => {
    const ecmp = await rowOf({ name: 'ccm-both', variant: 'read', mode: 'ecmp' });
    const row = await rowOf({ name: 'ccm-both', variant: 'read', mode: 'coordinated' });
    // Four flows into one host; the three others have lighter paths.
    expect(row).toMatchObject({ tagged: 4, needlessReductions: 0, reordered: 0 });
    expect(row.controlRequired).toBeGreaterThanOrEqual(4);
    expect(row.throughputGbps).toBeGreaterThan(1.3 * ecmp.throughputGbps);
  });

  for (let seed = 1; seed <= SEEDS; seed++) {
    it.each(['write', 'read'])(`is as over UDP in all scenarios, by %s, seed ${seed}`, longRun);

    async function longRun(variant: string): Promise<void> {
      const of = (name: string, mode: CoordinationMode): Promise<CoordinationRow> =>
        rowOf({ name, variant, mode, seed });
      const alone = await of('ccm-imbalance', 'ecmp');
      const spread = await of('ccm-imbalance', 'coordinated');
      expect(spread.needlessReductions).toBe(0);
      expect(spread.completionUs).toBeLessThanOrEqual(alone.completionUs ?? 0);
      const plain = await of('ccm-incast', 'ecmp');
      const incast = await of('ccm-incast', 'coordinated');
      expect(incast.tagged).toBe(7);
      expect(incast.queuePeakBytes).toBeLessThanOrEqual(1.05 * plain.queuePeakBytes);
      expect(incast.fctMaxUs).toBeLessThanOrEqual(1.05 * plain.fctMaxUs);
      const both = await of('ccm-both', 'coordinated');
      const without = await of('ccm-both', 'ecmp');
      expect(both.throughputGbps).toBeGreaterThanOrEqual(without.throughputGbps);
    }
  }
});
