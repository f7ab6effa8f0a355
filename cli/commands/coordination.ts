import * as path from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import { coordinationRow, meanRow } from '../../emulator/result/comparison';
import type { CoordinationRow } from '../../emulator/result/comparison';
import {
  COORDINATION_MODES,
  coordinationTitle,
  scenarioInMode,
} from '../../emulator/scenario/variants';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import type { CoordinationMode } from '../../emulator/scenario/variants';
import { loadScenario, scenarioVariant } from '../../emulator/io/scenario-files';
import { alignedTable, note, print } from '../../common/io/terminal';
import { writeResult } from '../../emulator/io/write-result';
import { withOutputFolder } from '../../common/io/output-folder';
import { wholeOption, within } from '../shared/option-values';
import { typedCommand } from '../shared/typed-command';
import { runWithProgress } from './run';

interface CoordinationFlags {
  readonly variant?: string;
  readonly mode?: CoordinationMode;
  readonly seed: number;
  readonly seeds: number;
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

export function registerCoordination(program: Command): void {
  program
    .command('coordination')
    .summary('run a scenario with ECMP, with adaptive routing, and with both coordinated')
    .description(
      'Runs a scenario of the profile hpcc-ccm once per mode: HPCC++ with ECMP, HPCC++ with adaptive ' +
        'routing that knows nothing of it, and coordinated. Prints when workloads were complete, ' +
        'reordering, changes of path, reductions below the fair rate and notifications; writes a report ' +
        'per mode.',
    )
    .argument('<scenario>', 'name (ccm-...) or file of a scenario')
    .option('--variant <name>', 'of those that the scenario has')
    .addOption(new Option('--mode <mode>', 'only this one').choices(COORDINATION_MODES))
    .option('--seed <n>', 'seed of all randomness', wholeOption, 1)
    .option(
      '--seeds <n>',
      'run so many seeds from that one on, and print means',
      within(1, 100_000, wholeOption),
      1,
    )
    .option('--out <folder>', 'folder of the reports, of the first seed')
    .option('--json', 'print one JSON object instead of a table')
    .option('--no-check', 'do not check invariants on every packet; faster')
    .action(async (name: string, flags: CoordinationFlags) => {
      const rows = await compare(name, flags);
      if (flags.json === true) print(JSON.stringify({ scenario: name, seed: flags.seed, rows }));
      else print(`${table(rows)}\n\n${rows.map(({ report }) => `report: ${report}`).join('\n')}`);
      failOnViolations(rows);
    });
}

async function compare(name: string, flags: CoordinationFlags): Promise<ModeRow[]> {
  const { seed, variant } = flags;
  const named = loadScenario(name);
  const scenario = variant === undefined ? named : scenarioVariant(named, variant);
  const title = variant === undefined ? scenario.name : `${scenario.name}-${variant}`;
  const folder = flags.out ?? path.join('out', `${title}-seed${seed}`);
  return withOutputFolder(folder, () => compareInto(folder, scenario, flags));
}

async function compareInto(
  folder: string,
  scenario: ScenarioDocument,
  { seed, seeds, check, mode: only }: CoordinationFlags,
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

function failOnViolations(rows: readonly ModeRow[]): void {
  const broken = rows.filter(({ row }) => row.violations > 0).map((each) => each.name);
  if (broken.length === 0) return;
  note(`hpcc: broken invariants in ${broken.join(', ')}; the reports name them`);
  process.exitCode = 1;
}
