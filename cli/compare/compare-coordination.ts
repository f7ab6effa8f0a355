import * as path from 'node:path';
import { figureColumns } from '../../emulator/figures/figure-columns';
import type { FigureColumn } from '../../emulator/figures/figure-columns';
import { coordinationRow, meanRow } from '../../emulator/result/comparison';
import type { CoordinationRow } from '../../emulator/result/comparison';
import {
  COORDINATION_MODES,
  coordinationTitle,
  scenarioInMode,
} from '../../emulator/scenario/variants';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import type { CoordinationMode } from '../../emulator/scenario/variants';
import { scenarioVariant } from '../../emulator/io/inputs/scenario-files';
import { alignedTable, print } from '../../common/io/terminal';
import { writeResult } from '../../emulator/io/results/write-result';
import { withOutputFolder } from '../../common/io/output-folder';
import type { TrustFlags } from '../shared/trust-option';
import { typedCommand } from '../shared/typed-command';
import { runWithProgress } from '../shared/run-with-progress';

/** Arguments of `hpcc compare --coordination`. */
export interface CoordinationFlags extends TrustFlags {
  readonly variant?: string;
  readonly mode?: CoordinationMode;
  readonly seed: number;
  readonly seeds?: number;
  readonly out?: string;
  readonly check: boolean;
  readonly json?: true;
}

interface ModeRow {
  readonly mode: CoordinationMode;
  /** The mode, in words. */
  readonly name: string;
  /** Mean over the seeds. */
  readonly row: CoordinationRow;
  readonly bySeed: readonly CoordinationRow[];
  readonly report: string;
}

/**
 * Runs a scenario of the profile hpcc-ccm once per mode, prints the figures side by side and writes a
 * report per mode.
 */
export async function compareCoordination(
  base: ScenarioDocument,
  flags: CoordinationFlags,
): Promise<{ readonly variant: string; readonly violations: number }[]> {
  const { seed, variant } = flags;
  const scenario = variant === undefined ? base : scenarioVariant(base, variant);
  const title = variant === undefined ? base.name : `${base.name}-${variant}`;
  const folder = flags.out ?? path.join('out', `${title}-seed${seed}`);
  const rows = await withOutputFolder(folder, () => compareInto(folder, scenario, flags));
  if (flags.json === true) print(JSON.stringify({ scenario: base.name, seed, rows }));
  else print(`${table(rows)}\n\n${rows.map(({ report }) => `report: ${report}`).join('\n')}`);
  return rows.map(({ name, row: { violations } }) => ({ variant: name, violations }));
}

async function compareInto(
  folder: string,
  scenario: ScenarioDocument,
  { seed, seeds = 1, check, trust, mode: only }: CoordinationFlags,
): Promise<ModeRow[]> {
  const rows: ModeRow[] = [];
  for (const mode of only === undefined ? COORDINATION_MODES : [only]) {
    const inMode = scenarioInMode(scenario, mode);
    const bySeed: CoordinationRow[] = [];
    let report = '';
    for (let i = 0; i < seeds; i++) {
      const { result } = await runWithProgress(inMode, { seed: seed + i, check, trust });
      bySeed.push(coordinationRow(result));
      if (i > 0) continue;
      const extras = { command: typedCommand(), scenario: inMode };
      ({ report } = writeResult(result, path.join(folder, mode), extras));
    }
    const modeName = coordinationTitle(mode, inMode.coordination?.balancing);
    rows.push({ mode, name: modeName, row: meanRow(bySeed), bySeed, report });
  }
  return rows;
}

function table(rows: readonly ModeRow[]): string {
  const texts = figureColumns(
    rows.map(({ row }) => row),
    COLUMNS,
  );
  const [heads = [], ...cells] = texts;
  const lines = heads.map((head, i) => [head, ...cells.map((row) => row[i] ?? '')]);
  return alignedTable([['', ...rows.map(({ name }) => name)], ...lines]);
}

/** Figures of each mode, a line each. */
const COLUMNS: readonly FigureColumn<CoordinationRow>[] = [
  { path: 'compare.runs', of: ({ runs }) => runs },
  { path: 'compare.completionUs', of: ({ completionUs }) => completionUs },
  { path: 'compare.throughputGbps', of: ({ throughputGbps }) => throughputGbps },
  { path: 'fctUs.median', of: ({ fctMedianUs }) => fctMedianUs },
  { path: 'fctUs.max', of: ({ fctMaxUs }) => fctMaxUs },
  { path: 'bottleneck.queuePeakBytes', of: ({ queuePeakBytes }) => queuePeakBytes },
  { path: 'bottleneck.queueP99Bytes', of: ({ queueP99Bytes }) => queueP99Bytes },
  { path: 'coordination.packets', of: ({ packets }) => packets },
  { path: 'coordination.reordered', of: ({ reordered }) => reordered },
  { path: 'allFlows.retransmittedSegments', of: ({ retransmitted }) => retransmitted },
  { path: 'compare.reroutes', of: ({ reroutes }) => reroutes },
  { path: 'coordination.taggedReroutes', of: ({ taggedReroutes }) => taggedReroutes },
  {
    path: 'coordination.reductionsBelowFair',
    of: ({ reductionsBelowFair }) => reductionsBelowFair,
  },
  { path: 'coordination.sent.controlRequired', of: ({ controlRequired }) => controlRequired },
  { path: 'coordination.sent.controlReleased', of: ({ controlReleased }) => controlReleased },
  { path: 'coordination.sent.reroutingRequired', of: ({ reroutingRequired }) => reroutingRequired },
  { path: 'coordination.tagged', of: ({ tagged }) => tagged },
  { path: 'coordination.expired', of: ({ expired }) => expired },
  { path: 'allFlows.unfinished', of: ({ unfinished }) => unfinished },
];
