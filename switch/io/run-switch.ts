import { projectVersion } from '../../common/io/repository';
import { CompiledTexts } from '../codegen/compile';
import { readSwitchFlags } from './flags/switch-flags';
import { endOfRun } from '../../common/io/end-of-run';
import { openLog } from '../../common/io/log';
import { OWN_PROCESS } from '../../common/io/environment';
import type { Environment } from '../../common/io/environment';
import { startSwitch } from './start-switch';
import type { RunningSwitch } from './start-switch';
import type { SwitchFlags } from './flags/switch-flags';
import { GENERIC_FLAGS, OWN_FLAGS, TARGET_FLAGS } from './flags/flag-table';
import type { Flag } from './flags/flag-table';
import type { LogOptions } from '../../common/io/log';

/** The newest minor version of bmv2's format that p4c writes; the major version is 2. */
const JSON_VERSION = '2.24';

/** Switches that share a process compile equal programs once. */
const COMPILED = new CompiledTexts();

/**
 * Runs a command line of simple_switch_grpc until SIGTERM or SIGINT. Counters are printed at the
 * end as one line of JSON.
 * @param argv the arguments after the program's name.
 * @param environment what it has of the process, which it may share with other switches.
 * @throws InputError for everything that the user can fix.
 */
export async function runSwitch(
  argv: readonly string[],
  environment: Environment = OWN_PROCESS,
): Promise<void> {
  const request = readSwitchFlags(argv);
  switch (request.kind) {
    case 'help':
      environment.write(1, flagHelp());
      return;
    case 'version':
      environment.write(1, `${projectVersion()}\n`);
      return;
    case 'json-version':
      environment.write(1, `${JSON_VERSION}\n`);
      return;
    case 'run':
      await runUntilSignal(request.flags, environment);
  }
}

async function runUntilSignal(flags: SwitchFlags, environment: Environment): Promise<void> {
  const { network } = environment;
  const { log, close } = openLog('hpcc-switch', switchLog(flags), environment);
  const warn = (sentence: string): void => {
    environment.write(2, `hpcc switch: ${sentence}\n`);
  };
  flags.warnings.forEach(warn);
  const ending = endOfRun(environment);
  const compiled = environment.isShared ? COMPILED : undefined;
  const reports = { log, warn, failed: ending.fail };
  try {
    const running = await network.during(() =>
      startSwitch(flags, reports, { network, ...(compiled && { compiled }) }),
    );
    try {
      // The log on the console tells it already.
      if (!flags.logToConsole) environment.write(1, `hpcc switch: ${readyText(flags, running)}\n`);
      await ending.promise;
    } finally {
      const summary = await running.stop();
      environment.write(1, `${JSON.stringify(summary)}\n`);
    }
  } finally {
    ending.release();
    close();
  }
}

/** Where a switch that is ready listens, and what it runs. */
function readyText(
  { interfaces, programFile }: SwitchFlags,
  { grpcPort, thriftPort, dataplanePort }: RunningSwitch,
): string {
  const count = `${interfaces.size} ${interfaces.size === 1 ? 'interface' : 'interfaces'}`;
  const doors = [
    `P4Runtime on port ${grpcPort}`,
    ...(thriftPort === undefined ? [] : [`Thrift on port ${thriftPort}`]),
    ...(dataplanePort === undefined ? [] : [`packets over gRPC on port ${dataplanePort}`]),
  ];
  const runs =
    programFile === undefined ? 'no program until a controller sets one' : `runs ${programFile}`;
  return `ready: ${doors.join(', ')}; ${count}; ${runs}`;
}

const COLUMN = 34;

/** The text of `--help`. */
export function flagHelp(): string {
  return [
    'Usage: hpcc switch [options] [<BMv2 JSON> | --no-p4] [-- target options]',
    '',
    'Runs a P4 program on network interfaces, in place of simple_switch_grpc.',
    '',
    'Options:',
    ...GENERIC_FLAGS.map(line),
    '',
    'Target options:',
    ...TARGET_FLAGS.map(line),
    '',
    'Options that bmv2 does not have:',
    ...OWN_FLAGS.map(line),
    '',
  ].join('\n');
}

function line({ name, letter, value, effect, help }: Flag): string {
  const short = letter === undefined ? '' : `-${letter}, `;
  const argument = { none: '', required: ' VALUE', optional: ' [VALUE]' }[value];
  const note = { acts: '', ignored: ' (no effect)', refused: ' (not supported)' }[effect];
  return `  ${short}--${name}${argument}`.padEnd(COLUMN) + ` ${help}${note}`;
}

/** bmv2 appends ".txt" to the name that it is given, and so does this switch. */
export const switchLog = ({ logLevel: level, logToConsole, logFile }: SwitchFlags): LogOptions => ({
  level,
  ...(logToConsole && { console: 1 }),
  ...(logFile !== undefined && { file: `${logFile}.txt` }),
});
