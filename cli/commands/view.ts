import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import type { MetricsTarget } from '../../emulator/view/server/metrics-request';
import { within, wholeOption } from '../shared/option-values';
import type { viewChosen, ViewFlags } from '../view/view-chosen';

/** PERF: help and a fault in the words need no emulator. */
const view = (): typeof viewChosen =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when something is shown
  (require('../view/view-chosen') as typeof import('../view/view-chosen')).viewChosen;

export function registerView(command: Command): void {
  command
    .description(
      'Serves a page on the loopback interface: the network with loads and queues at any instant, ' +
        'charts that zoom together, and the life of each flow. Ends with Ctrl-C.',
    )
    .argument(
      '[result]',
      'folder or result.json of a run; with --live, a scenario to run, or the folder of a run under ' +
        'Mininet; with --metrics, the document of the controller, which has the topology',
    )
    .option(
      '--live',
      'watch what goes on: a scenario, which is run now, a run under Mininet, or --metrics',
    )
    .option(
      '--metrics <name=address>',
      'with --live, a switch or an agent and the HOST:PORT, or PORT, of its --metrics; repeatable',
      target,
      [],
    )
    .option('--seed <n>', 'with --live, seed of the run of a scenario (default: 1)', wholeOption)
    .option(
      '--trust',
      'repeat a run whose scenario names an algorithm file: that code then runs here, in a compartment',
    )
    .option('--with <result>', 'a second run to set beside it')
    .option(
      '--port <n>',
      'TCP port on 127.0.0.1; 0 takes a free one',
      within(0, 65_535, wholeOption),
      0,
    )
    .action((given: string, flags: ViewFlags) => view()(given, flags));
}

function target(text: string, before: readonly MetricsTarget[]): readonly MetricsTarget[] {
  const [, name, host = '127.0.0.1', port = ''] =
    /^([^=\s]+)=(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (name === undefined) {
    throw new InputError(`--metrics must be NAME=HOST:PORT or NAME=PORT, got '${text}'`);
  }
  if (before.some((each) => each.name === name)) {
    throw new InputError(`--metrics: ${name} is there twice`);
  }
  return [...before, { name, address: `${host}:${port}` }];
}
