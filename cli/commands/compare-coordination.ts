import * as path from 'node:path';
import { coordinationRow, meanRow } from '../../emulator/result/comparison';
import type { CoordinationRow } from '../../emulator/result/comparison';
import {
  COORDINATION_MODES,
  coordinationTitle,
  scenarioInMode,
} from '../../emulator/scenario/variants';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import type { CoordinationMode } from '../../emulator/scenario/variants';
import { scenarioVariant } from '../../emulator/io/scenario-files';
import { alignedTable, print } from '../../common/io/terminal';
import { writeResult } from '../../emulator/io/write-result';
import { withOutputFolder } from '../../common/io/output-folder';
import { typedCommand } from '../shared/typed-command';
import { runWithProgress } from './run';

/** Arguments of `hpcc compare --coordination`. */
export interface CoordinationFlags {
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
  { seed, seeds = 1, check, mode: only }: CoordinationFlags,
): Promise<ModeRow[]> {
  const rows: ModeRow[] = [];
  for (const mode of only === undefined ? COORDINATION_MODES : [only]) {
    const inMode = scenarioInMode(scenario, mode);
    const bySeed: CoordinationRow[] = [];
    let report = '';
    for (let i = 0; i < seeds; i++) {
      const { result } = await runWithProgress(inMode, { seed: seed + i, check });
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
  const heads = ['', ...rows.map((each) => each.name)];
  const lines = LINES.map(([title, of]) => [title, ...rows.map(({ row }) => of(row))]);
  return alignedTable([heads, ...lines]);
}

const one = (value: number): string => value.toFixed(1);
const count = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(1);
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`;

const LINES: readonly (readonly [string, (row: CoordinationRow) => string])[] = [
  ['runs', ({ runs }) => String(runs)],
  ['workloads complete, us', ({ completionUs }) => completionUs?.toFixed(1) ?? '-'],
  ['throughput, Gb/s', ({ throughputGbps }) => one(throughputGbps)],
  ['FCT median, us', ({ fctMedianUs }) => one(fctMedianUs)],
  ['FCT max, us', ({ fctMaxUs }) => one(fctMaxUs)],
  ['longest queue', ({ queuePeakBytes }) => kilobytes(queuePeakBytes)],
  ['its 99th percentile', ({ queueP99Bytes }) => kilobytes(queueP99Bytes)],
  ['packets received', ({ packets }) => count(packets)],
  ['reordered', ({ reordered }) => count(reordered)],
  ['segments sent again', ({ retransmitted }) => count(retransmitted)],
  ['changes of path', ({ reroutes }) => count(reroutes)],
  ['of these tagged', ({ taggedReroutes }) => count(taggedReroutes)],
  ['reductions below fair', ({ reductionsBelowFair }) => count(reductionsBelowFair)],
  ['type 1 / 2 / 3', (row) => notificationCounts(row)],
  ['flows tagged', ({ tagged }) => count(tagged)],
  ['released by timeout', ({ expired }) => count(expired)],
  ['unfinished flows', ({ unfinished }) => count(unfinished)],
];

const notificationCounts = (row: CoordinationRow): string =>
  [row.controlRequired, row.controlReleased, row.reroutingRequired].map(count).join(' / ');
