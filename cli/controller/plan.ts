import type { Command } from 'commander';
import { changesOf } from '../../controller/plan/diff';
import { describeUnsupported } from '../../controller/intent/unsupported';
import type { Unsupported } from '../../controller/intent/unsupported';
import { describePlans } from '../../controller/plan/describe-plan';
import { isEmpty, tally } from '../../controller/plan/switch-plan';
import type { SwitchPlan } from '../../controller/plan/switch-plan';
import { loadNetwork } from '../../controller/io/network-file';
import { planNetwork } from '../../controller/io/plan-network';
import { QueueRecords } from '../../controller/io/queue-records';
import { connectOptions, withCommonOptions } from './options';
import type { CommonOptions } from './options';
import { jsonText, print } from './output';

/** Exit code of a plan with changes; 1 is an error. */
const EXIT_DIFFERENT = 2;

interface PlanOptions extends CommonOptions {
  readonly state?: string;
}

export function registerPlan(parent: Command): void {
  withCommonOptions(parent.command('plan'))
    .summary('compare the switches with a document; exit code 2 when they differ')
    .description(
      'Reads back what every switch holds and prints the updates that would bring it to what the ' +
        'document says. Changes nothing. Exit code 0: as wanted; 2: different; 1: an error.',
    )
    .argument('<file>', 'network document')
    .option('--state <file>', 'where queue settings are remembered (FILE.queues.json)')
    .action(async (file: string, options: PlanOptions) => {
      const planned = await planFile(file, options);
      printPlans(planned, options.json === true);
      if (!planned.plans.every(isEmpty)) process.exitCode = EXIT_DIFFERENT;
    });
}

/** Changes that each switch needs, and parts of the document that no change brings. */
export interface PlannedNetwork {
  readonly plans: readonly SwitchPlan[];
  readonly unsupported: readonly Unsupported[];
}

export async function planFile(file: string, options: PlanOptions): Promise<PlannedNetwork> {
  const { folder, switches, unsupported } = await loadNetwork(file);
  const records = await QueueRecords.load(stateFile(file, options.state));
  return {
    plans: await planNetwork(switches, connectOptions(options, folder), records),
    unsupported,
  };
}

export function printPlans(planned: PlannedNetwork, json: boolean): void {
  if (json) print(jsonText(plansJson(planned)));
  else for (const line of planLines(planned)) print(line);
}

/** Plans and what switches lack, for people. */
export const planLines = ({ plans, unsupported }: PlannedNetwork): readonly string[] => [
  describePlans(plans),
  ...describeUnsupported(unsupported),
];

/** Queue settings cannot be read back, so a file beside the document remembers them. */
export const stateFile = (file: string, given: string | undefined): string =>
  given ?? `${file}.queues.json`;

function plansJson({ plans, unsupported }: PlannedNetwork): object {
  return {
    equal: plans.every(isEmpty),
    lacks: unsupported,
    switches: plans.map((plan) => ({
      switch: plan.switch,
      ...(plan.load !== undefined && { load: plan.load }),
      count: tally(plan.stages),
      updates: changesOf(plan.stages),
      queues: plan.queues,
      ports: plan.ports,
    })),
  };
}
