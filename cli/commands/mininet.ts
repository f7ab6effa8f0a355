import { Option } from 'commander';
import type { Command } from 'commander';
import { BOTH_KINDS, SWITCH_KINDS } from '../../mininet/experiment/switch-kinds';
import { addSetting } from '../shared/setting-options';
import { MISSED } from '../mininet/flags';
import type { MininetFlags } from '../mininet/flags';
import type { mininetChosen } from '../mininet/mininet-chosen';

/** PERF: help and a fault in the words need neither experiments nor an emulator. */
const run = (): typeof mininetChosen =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when something is run
  (require('../mininet/mininet-chosen') as typeof import('../mininet/mininet-chosen'))
    .mininetChosen;

export function registerMininet(command: Command): void {
  command
    .description(
      'Runs switches, controller and hosts as processes in network namespaces, measures, and ' +
        'writes the same results and reports as hpcc run. Needs root. See docs/mininet-experiments.md.',
    )
    .argument('[experiment]', 'name or file of an experiment (--list names them), or doctor')
    .addOption(
      new Option('--switch <kind>', 'which switch')
        .choices([...SWITCH_KINDS, BOTH_KINDS])
        .default('embedded'),
    )
    .option(
      '--bmv2 <path>',
      'the simple_switch_grpc of --switch bmv2',
      process.env['HPCC_BMV2'] ?? 'simple_switch_grpc',
    )
    .option('--set <key=value>', 'a parameter of the experiment; repeatable', collect, [])
    .option('--out <folder>', 'folder of the results (default: out/mininet/EXPERIMENT-SWITCH)')
    .option('--pcap', 'capture the bottleneck', false)
    .option('--json', 'print one JSON document instead of tables', false)
    .option(
      '--check',
      `exit with ${MISSED} when a run is not valid or controlled, or misses a bar`,
      false,
    )
    .option('--realtime', 'schedule switches and hosts before all that runs here', false)
    .option('--separate', 'give each switch and each host a process of its own', false)
    .option('--no-compare', 'do not run the same in the emulator')
    .option('--dry-run', 'print the plans and run nothing', false)
    .option('--doctor', 'check this machine and measure what it carries', false)
    .option('--save', 'with doctor: lower default rates of experiments to what it measures', false)
    .option('--list', 'name the experiments and their parameters', false)
    .action((experiment: string | undefined, flags: MininetFlags) =>
      run()(experiment, flags, command),
    );
  for (const name of ['waiBytes', 'expectedFlows'] as const) {
    addSetting(command, name, 'that of the experiment');
  }
}

const collect = (text: string, before: readonly string[]): readonly string[] => [...before, text];
