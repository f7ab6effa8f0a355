import type { Command } from 'commander';
import { InputError } from '../../../common/errors';
import { comparisonRow } from '../../record/comparison';
import type { ComparisonRow } from '../../record/comparison';
import { FEEDBACK_VARIANTS } from '../../scenario/variants';
import { loadScenario, withParameters } from '../scenario-files';
import { alignedTable, note, print } from '../terminal';
import { wholeOption } from './options';
import { runWithProgress } from './run';

interface CompareFlags {
  readonly variants?: string;
  readonly seed: number;
  readonly check: boolean;
  readonly json?: true;
}

export function registerCompare(program: Command): void {
  const known = Object.keys(FEEDBACK_VARIANTS).join(', ');
  program
    .command('compare')
    .summary('run a scenario with several kinds of feedback')
    .description(
      'Runs a scenario once per way to bring telemetry to the algorithm and prints queue, ' +
        `utilisation, fairness and the cost of the feedback. Variants: ${known}.`,
    )
    .argument('<scenario>', 'name or file of a scenario')
    .option('--variants <names>', 'only these, separated by commas')
    .option('--seed <n>', 'seed of all randomness', wholeOption, 1)
    .option('--json', 'print one JSON object instead of a table')
    .option('--no-check', 'do not check invariants on every packet; faster')
    .action(async (name: string, flags: CompareFlags) => {
      const rows = await compare(name, flags);
      if (flags.json === true) print(JSON.stringify({ scenario: name, seed: flags.seed, rows }));
      else print(table(rows));
      failOnViolations(rows);
    });
}

async function compare(name: string, flags: CompareFlags): Promise<ComparisonRow[]> {
  const scenario = loadScenario(name);
  const rows: ComparisonRow[] = [];
  for (const variant of flags.variants?.split(',') ?? Object.keys(FEEDBACK_VARIANTS)) {
    const parameters = FEEDBACK_VARIANTS[variant];
    if (parameters === undefined) {
      const known = Object.keys(FEEDBACK_VARIANTS).join(', ');
      throw new InputError(`no variant '${variant}'; there are ${known}`);
    }
    const options = { seed: flags.seed, check: flags.check };
    const { result } = await runWithProgress(withParameters(scenario, parameters), options);
    rows.push(comparisonRow(variant, result));
  }
  return rows;
}

function table(rows: readonly ComparisonRow[]): string {
  const heads = [
    ...['variant', 'peak KB', 'p99 KB', 'drained us', 'used %', 'Jain', 'FCT median', 'FCT max'],
    ...['feedback', 'bytes', 'per RTT', 'probe bytes'],
  ];
  const cells = rows.map((row) => [
    row.variant,
    (row.queuePeakBytes / 1000).toFixed(1),
    (row.queueP99Bytes / 1000).toFixed(1),
    row.drainedAtUs?.toFixed(1) ?? '-',
    (row.utilization * 100).toFixed(1),
    row.jain?.toFixed(4) ?? '-',
    row.fctUs?.median.toFixed(1) ?? '-',
    row.fctUs?.max.toFixed(1) ?? '-',
    String(row.feedbackPackets),
    String(row.feedbackBytes),
    row.feedbackPerRtt.toFixed(2),
    String(row.probeBytes),
  ]);
  return alignedTable([heads, ...cells]);
}

function failOnViolations(rows: readonly ComparisonRow[]): void {
  const broken = rows.filter(({ violations }) => violations > 0).map(({ variant }) => variant);
  if (broken.length === 0) return;
  note(`hpcc: broken invariants in ${broken.join(', ')}; hpcc run names them`);
  process.exitCode = 1;
}
