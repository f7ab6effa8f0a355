import * as fs from 'node:fs/promises';
import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { reportJson, reportText } from '../../controller/plan/apply-report';
import type { SwitchOutcome } from '../../controller/plan/apply-report';
import { changesOf } from '../../controller/plan/diff';
import { applyNetwork, ApplyFailedError } from '../../controller/io/apply-network';
import { loadNetwork } from '../../controller/io/network-file';
import { planNetwork } from '../../controller/io/plan-network';
import { QueueRecords } from '../../controller/io/queue-records';
import { connectOptions, withCommonOptions } from './options';
import type { CommonOptions } from './options';
import { jsonText, note, print } from './output';
import { planFile, planLines, printPlans, stateFile } from './plan';

/** Connections that broke are taken up again so often. */
const RETRIES = 2;

interface ApplyOptions extends CommonOptions {
  readonly dryRun?: true;
  readonly state?: string;
  readonly report?: string;
}

export function registerApply(parent: Command): void {
  withCommonOptions(parent.command('apply'))
    .summary('bring the switches to what a document says')
    .description(
      'Reads back what every switch holds and writes the fewest updates that bring it to what ' +
        'the document says. Every switch is reached before the first one changes; when something ' +
        'fails after that, a report tells what is and what is not on which switch, and another ' +
        'apply goes on from there.',
    )
    .argument('<file>', 'network document')
    .option('--dry-run', 'only print what would be done')
    .option('--state <file>', 'where queue settings are remembered (FILE.queues.json)')
    .option('--report <file>', 'where to write what a failed apply has left (FILE.report.json)')
    .action(async (file: string, options: ApplyOptions) => {
      if (options.dryRun) printPlans(await planFile(file, options), options.json === true);
      else await applyFile(file, options);
    });
}

async function applyFile(file: string, options: ApplyOptions): Promise<void> {
  const { folder, spec, switches, unsupported } = await loadNetwork(file);
  const records = await QueueRecords.load(stateFile(file, options.state));
  const connect = connectOptions(options, folder);
  const plans = await planNetwork(switches, connect, records);
  const total = plans.reduce((sum, { stages }) => sum + changesOf(stages).length, 0);
  if (!options.json) for (const line of planLines({ plans, unsupported })) note(line);
  const progress = progressBar(total);
  try {
    const onWritten = (updates: number): void => progress.increment(updates);
    const outcomes = await applyNetwork(switches, {
      ...connect,
      records,
      retries: RETRIES,
      onWritten,
    });
    progress.stop();
    print(options.json ? jsonText(reportJson(spec.name, outcomes)) : reportText(outcomes));
  } catch (error) {
    progress.stop();
    if (error instanceof ApplyFailedError) {
      await writeReport(options.report ?? `${file}.report.json`, spec.name, error.outcomes);
    }
    throw error;
  }
}

async function writeReport(
  file: string,
  network: string,
  outcomes: readonly SwitchOutcome[],
): Promise<void> {
  await fs.writeFile(file, `${jsonText(reportJson(network, outcomes))}\n`);
  note(`what is and what is not on the switches stands in ${file}`);
}

/** A bar on standard error where that is a terminal, and nothing elsewhere. */
function progressBar(total: number): SingleBar {
  const bar = new SingleBar({
    format: 'updates {bar} {value}/{total}',
    noTTYOutput: false,
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  });
  bar.start(total, 0);
  return bar;
}
