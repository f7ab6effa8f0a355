import { Option } from 'commander';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { alignedTable, print } from '../../common/io/terminal';
import { parseWhole } from '../../common/units/number-text';
import { scenarioTitles } from '../../emulator/io/inputs/catalogue';
import { DEFAULT_EXECUTOR, EXECUTOR_NAMES } from '../../switch/codegen/executor-names';
import { countOption, numberOption, wholeOption } from '../shared/option-values';
import { portCaptureOption } from '../shared/pcap-options';
import { withSettings } from '../shared/setting-options';
import { withTrust } from '../shared/trust-option';
import type { runChosen, RunFlags } from '../run/run-chosen';

/** PERF: help, a fault in the words and the list of scenarios need no emulator. */
const run = (): typeof runChosen =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when something is run
  (require('../run/run-chosen') as typeof import('../run/run-chosen')).runChosen;

export function registerRun(command: Command): void {
  command
    .description(
      'Runs a scenario in deterministic virtual time: one that comes with the project, a YAML or JSON ' +
        'file, or topology and flow files of the HPCC simulator, which run in the telemetry units of ' +
        'that simulator unless others are given. With --workload, what the ranks of a trace do, on the network ' +
        'of the scenario or topology, or on one switch. Writes result.json, CSV series and report.html.',
    )
    .argument('[scenario]', 'name or file of a scenario')
    .option('--list', 'print the scenarios that come with the project, one a line')
    .option('--topology <file>', "topology in the HPCC simulator's format")
    .option('--flows <file>', "flows in the HPCC simulator's format")
    .option(
      '--workload <trace>',
      'file, folder or beginning of file names of a trace (docs/workloads.md)',
    )
    .option(
      '--placement <file>',
      'which rank of the trace is on which host, and how collectives are done',
    )
    .option(
      '--workload-bytes <n>',
      'length of the buffers of a trace that is for any length',
      countOption,
    )
    .option('--variant <name>', 'of those that hpcc compare runs')
    .option('--seed <n>', 'seed of all randomness', wholeOption, 1)
    .option('--out <folder>', 'folder of the results (default: out/<scenario>-seed<n>)')
    .option('--trace <file>', 'write a trace for https://ui.perfetto.dev (docs/traces.md)')
    .option(
      '--pcap <port=file>',
      'write what a port sends and receives as a capture, as NODE:PORT=FILE or HOST=FILE; may be repeated',
      portCaptureOption,
    )
    .option('--trace-flows <numbers>', 'only these flows, from 1, separated by commas')
    .option('--trace-ports <names>', 'only these switch ports, as NODE:PORT')
    .option('--trace-from-us <n>', 'from this virtual time on', numberOption)
    .option('--trace-to-us <n>', 'up to this virtual time', numberOption)
    .option('--trace-max-mb <n>', 'longest trace; the rest is left out', numberOption, 1000)
    .option(
      '--why <numbers>',
      'divide the completion times of these flows by cause, from 1, separated by commas (docs/view.md)',
      flowNumbers,
    )
    .option('--json', 'print one JSON object instead of a table')
    .option('--no-check', 'do not check invariants on every packet; faster')
    .addOption(
      new Option('--executor <name>', 'what runs the P4 program')
        .choices(EXECUTOR_NAMES)
        .default(DEFAULT_EXECUTOR),
    )
    .option(
      '--workers <n>',
      'threads that share the work; the result is the same (default: one per core, up to 8, ' +
        'for long runs that can be divided, else 1)',
      countOption,
    )
    .option('--until-us <n>', 'end of the run in us of virtual time', numberOption);
  withTrust(withSettings(command, 'scenario')).action(
    async (name: string | undefined, flags: RunFlags) => {
      if (flags.list === true) print(alignedTable(scenarioTitles()));
      else await run()(name, flags, command);
    },
  );
}

/** @throws InputError for numbers that are none, or twice there. */
function flowNumbers(text: string): readonly number[] {
  const numbers = text.split(',').map((each) => parseWhole(each) ?? 0);
  if (numbers.every((each) => each > 0) && new Set(numbers).size === numbers.length) return numbers;
  throw new InputError(`--why takes numbers from 1, each once, and '${text}' was given`);
}
