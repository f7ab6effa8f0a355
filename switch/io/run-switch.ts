import { projectVersion } from '../../common/io/repository';
import { flagHelp } from './flags/flag-help';
import { readSwitchFlags } from './flags/switch-flags';
import { openLog } from '../../common/io/log';
import { startSwitch } from './start-switch';
import { switchLog } from './flags/switch-log';
import type { SwitchFlags } from './flags/switch-flags';

/** The newest minor version of bmv2's format that p4c writes; the major version is 2. */
const JSON_VERSION = '2.24';

/**
 * Does what a command line of simple_switch_grpc asks for, until SIGTERM or SIGINT. Counters are
 * printed at the end as one line of JSON.
 * @param argv the arguments after the program's name.
 * @throws InputError for everything that whoever typed it can mend.
 */
export async function runSwitch(argv: readonly string[]): Promise<void> {
  const request = readSwitchFlags(argv);
  switch (request.kind) {
    case 'help':
      process.stdout.write(flagHelp());
      return;
    case 'version':
      process.stdout.write(`${projectVersion()}\n`);
      return;
    case 'json-version':
      process.stdout.write(`${JSON_VERSION}\n`);
      return;
    case 'run':
      await runUntilSignal(request.flags);
  }
}

async function runUntilSignal(flags: SwitchFlags): Promise<void> {
  const { log, close } = openLog('hpcc-switch', switchLog(flags));
  const warn = (sentence: string): void => {
    process.stderr.write(`hpcc switch: ${sentence}\n`);
  };
  flags.warnings.forEach(warn);
  const ending = endOfRun();
  const running = await startSwitch(flags, { log, warn, failed: ending.fail });
  try {
    await ending.promise;
  } finally {
    const summary = await running.stop();
    process.stdout.write(`${JSON.stringify(summary)}\n`);
    close();
  }
}

interface Ending {
  /** Resolves at the first signal, fails when the switch cannot go on. */
  readonly promise: Promise<void>;
  readonly fail: (error: unknown) => void;
}

function endOfRun(): Ending {
  let fail: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((resolve, reject) => {
    fail = reject;
    // A second signal ends the process the usual way.
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
  return { promise, fail };
}
