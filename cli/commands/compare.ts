import type { Command } from 'commander';
import { comparisonRow } from '../../emulator/result/comparison';
import type { ComparisonRow } from '../../emulator/result/comparison';
import {
  CARRIER_VARIANTS,
  FEEDBACK_VARIANTS,
  TARGET_VARIANTS,
} from '../../emulator/scenario/variants';
import { loadScenario, scenarioVariant, variantNames } from '../../emulator/io/scenario-files';
import { InputError } from '../../common/errors';
import { alignedTable, note, print } from '../../common/io/terminal';
import { wholeOption } from '../shared/option-values';
import { compareAlgorithms } from './compare-algorithms';
import { runWithProgress } from './run';

interface CompareFlags {
  readonly variants?: string;
  readonly seed: number;
  readonly check: boolean;
  readonly json?: true;
  readonly algorithms?: string;
  readonly seeds?: number;
  readonly out?: string;
}

export function registerCompare(program: Command): void {
  const known = Object.keys(FEEDBACK_VARIANTS).join(', ');
  const carriers = Object.keys(CARRIER_VARIANTS).join(', ');
  const units = Object.keys(TARGET_VARIANTS).join(', ');
  program
    .command('compare')
    .summary('run a scenario with several kinds of feedback')
    .description(
      "Runs a scenario once per variant and prints queue, utilisation, fairness and the feedback's " +
        `cost. Variants are those of the scenario, or ways to bring telemetry back: ${known}; ` +
        `or, when asked for, carriers of telemetry: ${carriers}; ` +
        `or switches that count in the units of hardware: ${units}.`,
    )
    .argument('<scenario>', 'name or file of a scenario')
    .option('--variants <names>', 'only these, separated by commas')
    .option('--algorithms <names>', 'run it under each of these instead, separated by commas')
    .option('--seeds <n>', 'with --algorithms: so many runs each, for intervals (1)', wholeOption)
    .option('--out <folder>', 'with --algorithms: write comparison.json and report.html')
    .option('--seed <n>', 'seed of all randomness', wholeOption, 1)
    .option('--json', 'print one JSON object instead of a table')
    .option('--no-check', 'do not check invariants on every packet; faster')
    .action(async (name: string, flags: CompareFlags) => {
      if (flags.algorithms !== undefined) {
        failOnViolations(await compareByAlgorithm(name, flags.algorithms, flags));
        return;
      }
      refuseWithout(flags);
      const rows = await compare(name, flags);
      if (flags.json === true) print(JSON.stringify({ scenario: name, seed: flags.seed, rows }));
      else print(table(rows));
      failOnViolations(rows);
    });
}

async function compareByAlgorithm(
  file: string,
  names: string,
  { variants, seed, seeds = 1, check, out, json }: CompareFlags,
): Promise<{ variant: string; violations: number }[]> {
  if (variants !== undefined) throw new InputError('give either --variants or --algorithms');
  const algorithms = names.split(',');
  const rows = await compareAlgorithms(file, {
    algorithms,
    seed,
    seeds,
    check,
    out,
    json: json === true,
  });
  return rows.map(({ algorithm, violations }) => ({ variant: algorithm, violations }));
}

function refuseWithout({ seeds, out }: CompareFlags): void {
  const [extra] = [
    ...(seeds === undefined ? [] : ['--seeds']),
    ...(out === undefined ? [] : ['--out']),
  ];
  if (extra !== undefined) throw new InputError(`${extra} needs --algorithms`);
}

async function compare(file: string, flags: CompareFlags): Promise<ComparisonRow[]> {
  const scenario = loadScenario(file);
  const rows: ComparisonRow[] = [];
  for (const name of flags.variants?.split(',') ?? variantNames(scenario)) {
    const options = { seed: flags.seed, check: flags.check };
    const { result } = await runWithProgress(scenarioVariant(scenario, name), options);
    rows.push(comparisonRow(name, result));
  }
  return rows;
}

/** A column, and whether it is left out when no row has anything to say in it. */
interface Column {
  readonly head: string;
  readonly cell: (row: ComparisonRow) => string;
  readonly isOptional?: true;
}

const COLUMNS: readonly Column[] = [
  { head: 'variant', cell: ({ variant }) => variant },
  { head: 'peak KB', cell: (row) => kilobytes(row.queuePeakBytes) },
  { head: 'p99 KB', cell: (row) => kilobytes(row.queueP99Bytes) },
  { head: 'drained us', cell: (row) => row.drainedAtUs?.toFixed(1) ?? NONE },
  { head: 'used %', cell: (row) => (row.utilization * 100).toFixed(1) },
  { head: 'Jain', cell: (row) => row.jain?.toFixed(4) ?? NONE },
  {
    head: 'Jain after joins',
    cell: (row) => row.jainAfterJoins?.toFixed(4) ?? NONE,
    isOptional: true,
  },
  { head: 'FCT median', cell: (row) => row.fctUs?.median.toFixed(1) ?? NONE },
  { head: 'FCT max', cell: (row) => row.fctUs?.max.toFixed(1) ?? NONE },
  { head: 'unfinished', cell: (row) => count(row.unfinished), isOptional: true },
  { head: 'feedback', cell: (row) => String(row.feedbackPackets) },
  { head: 'bytes', cell: (row) => String(row.feedbackBytes) },
  { head: 'per RTT', cell: (row) => row.feedbackPerRtt.toFixed(2) },
  { head: 'probe bytes', cell: (row) => count(row.probeBytes), isOptional: true },
  { head: 'switch answers', cell: (row) => count(row.switchResponses), isOptional: true },
  { head: 'refused', cell: (row) => count(row.refused), isOptional: true },
];

const NONE = '-';
const count = (n: number): string => (n === 0 ? NONE : String(n));
const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);

function table(rows: readonly ComparisonRow[]): string {
  const columns = COLUMNS.filter(
    ({ isOptional, cell }) => isOptional !== true || rows.some((row) => cell(row) !== NONE),
  );
  const lines = rows.map((row) => columns.map(({ cell }) => cell(row)));
  return alignedTable([columns.map(({ head }) => head), ...lines]);
}

function failOnViolations(
  rows: readonly { readonly variant: string; readonly violations: number }[],
): void {
  const broken = rows.filter(({ violations }) => violations > 0).map(({ variant }) => variant);
  if (broken.length === 0) return;
  note(`hpcc: broken invariants in ${broken.join(', ')}; hpcc run names them`);
  process.exitCode = 1;
}
