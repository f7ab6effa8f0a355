import { projectVersion } from '../../common/io/repository';
import { CompiledTexts } from '../codegen/compile';
import { flagHelp } from './flags/flag-help';
import { readSwitchFlags } from './flags/switch-flags';
import { endOfRun } from '../../common/io/end-of-run';
import { openLog } from '../../common/io/log';
import { OWN_PROCESS } from '../../common/io/surroundings';
import type { Surroundings } from '../../common/io/surroundings';
import { startSwitch } from './start-switch';
import { switchLog } from './flags/switch-log';
import type { SwitchFlags } from './flags/switch-flags';

/** The newest minor version of bmv2's format that p4c writes; the major version is 2. */
const JSON_VERSION = '2.24';

/** Switches that share a process compile equal programs once. */
const COMPILED = new CompiledTexts();

/**
 * Does what a command line of simple_switch_grpc asks for, until SIGTERM or SIGINT. Counters are
 * printed at the end as one line of JSON.
 * @param argv the arguments after the program's name.
 * @param surroundings what it has of the process, which it may share with other switches.
 * @throws InputError for everything that whoever typed it can mend.
 */
export async function runSwitch(
  argv: readonly string[],
  surroundings: Surroundings = OWN_PROCESS,
): Promise<void> {
  const request = readSwitchFlags(argv);
  switch (request.kind) {
    case 'help':
      surroundings.write(1, flagHelp());
      return;
    case 'version':
      surroundings.write(1, `${projectVersion()}\n`);
      return;
    case 'json-version':
      surroundings.write(1, `${JSON_VERSION}\n`);
      return;
    case 'run':
      await runUntilSignal(request.flags, surroundings);
  }
}

async function runUntilSignal(flags: SwitchFlags, surroundings: Surroundings): Promise<void> {
  const { network } = surroundings;
  const { log, close } = openLog('hpcc-switch', switchLog(flags), surroundings);
  const warn = (sentence: string): void => {
    surroundings.write(2, `hpcc switch: ${sentence}\n`);
  };
  flags.warnings.forEach(warn);
  const ending = endOfRun(surroundings);
  const compiled = surroundings.isShared ? COMPILED : undefined;
  const reports = { log, warn, failed: ending.fail };
  try {
    const running = await network.during(() =>
      startSwitch(flags, reports, { network, ...(compiled && { compiled }) }),
    );
    try {
      await ending.promise;
    } finally {
      const summary = await running.stop();
      surroundings.write(1, `${JSON.stringify(summary)}\n`);
    }
  } finally {
    ending.release();
    close();
  }
}
