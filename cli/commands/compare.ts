import { Option } from 'commander';
import type { Command } from 'commander';
import {
  CARRIER_VARIANTS,
  COORDINATION_MODES,
  FEEDBACK_VARIANTS,
  TARGET_VARIANTS,
} from '../../emulator/scenario/variants';
import { wholeOption, within } from '../shared/option-values';
import { withSettings } from '../shared/setting-options';
import { withTrust } from '../shared/trust-option';
import type { compareChosen, CompareFlags } from '../compare/compare-chosen';

/** PERF: help and a fault in the words need no emulator. */
const compare = (): typeof compareChosen =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when something is compared
  (require('../compare/compare-chosen') as typeof import('../compare/compare-chosen'))
    .compareChosen;

export function registerCompare(command: Command): void {
  const known = Object.keys(FEEDBACK_VARIANTS).join(', ');
  const carriers = Object.keys(CARRIER_VARIANTS).join(', ');
  const units = Object.keys(TARGET_VARIANTS).join(', ');
  command
    .description(
      "Runs a scenario once per variant and prints queue, utilisation, fairness and the feedback's " +
        `cost. Variants are those of the scenario, or ways to bring telemetry back: ${known}; ` +
        `or, when asked for, carriers of telemetry: ${carriers}; ` +
        `or switches that count in the units of hardware: ${units}. With --coordination, a scenario of ` +
        'the profile hpcc-ccm runs with ECMP, with adaptive routing that knows nothing of HPCC++, and ' +
        'with both coordinated.',
    )
    .argument('<scenario>', 'name or file of a scenario')
    .option('--variants <names>', 'only these, separated by commas')
    .option('--algorithms <names>', 'run it under each of these instead, separated by commas')
    .option('--coordination', 'run it once per mode of coordination instead (docs/coordination.md)')
    .addOption(
      new Option('--mode <mode>', 'with --coordination: only this one').choices(COORDINATION_MODES),
    )
    .option('--variant <name>', 'with --coordination: of those that the scenario has')
    .option(
      '--seeds <n>',
      'with --algorithms or --coordination: so many runs each (default: 1)',
      within(1, 100_000, wholeOption),
    )
    .option('--out <folder>', 'with --algorithms or --coordination: folder of the reports')
    .option('--seed <n>', 'seed of all randomness', wholeOption, 1)
    .option('--json', 'print one JSON object instead of a table')
    .option('--no-check', 'do not check invariants on every packet; faster');
  withTrust(withSettings(command, 'scenario')).action((name: string, flags: CompareFlags) =>
    compare()(name, flags, command),
  );
}
