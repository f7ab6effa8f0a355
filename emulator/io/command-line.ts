import { createRequire } from 'node:module';
import { Command } from 'commander';
import { projectVersion } from '../../common/io/repository';

type Register = (program: Command) => void;

/**
 * The commands in the order of the help text, the module of each, and what that exports to register
 * it. A module is loaded when its command is wanted: a host agent that starts needs no emulator, and
 * `hpcc decode` starts in a fifth of the time that loading everything takes.
 */
const COMMANDS: readonly (readonly [name: string, module: string, register: string])[] = [
  ['demo', './commands/demo', 'registerDemo'],
  ['run', './commands/run', 'registerRun'],
  ['compare', './commands/compare', 'registerCompare'],
  ['coordination', './commands/coordination', 'registerCoordination'],
  ['replay', './commands/replay', 'registerReplay'],
  ['agent', './commands/agent', 'registerAgent'],
  ['bench', './commands/bench', 'registerBench'],
  ['controller', '../../controller/main', 'registerController'],
  ['decode', './commands/decode', 'registerDecode'],
  ['emit', './commands/emit', 'registerEmit'],
  ['mininet', './commands/mininet', 'registerMininet'],
  ['p4', './commands/p4', 'registerP4'],
  ['proto', './commands/proto', 'registerProto'],
  ['send', './commands/send', 'registerSend'],
  ['switch', './commands/switch', 'registerSwitch'],
  ['stf', './commands/stf', 'registerStf'],
  ['test', './commands/test', 'registerTest'],
];

/**
 * The command line of `hpcc` with its options.
 * @param wanted the only command that is needed; all are there unless it is one of them.
 */
export function commandLine(wanted?: string): Command {
  const program = new Command('hpcc');
  program
    .description('HPCC++ on P4: telemetry, control plane, hosts, and a network in virtual time.')
    .version(projectVersion())
    .showHelpAfterError('(hpcc --help lists commands and options)')
    .exitOverride();
  const only = COMMANDS.filter(([name]) => name === wanted);
  for (const [, module, register] of only.length > 0 ? only : COMMANDS) {
    loadRegister(module, register)(program);
  }
  return program;
}

const load = createRequire(__filename);

function loadRegister(module: string, name: string): Register {
  const register = (load(module) as Partial<Record<string, Register>>)[name];
  if (register === undefined) throw new Error(`${module} exports no ${name}`);
  return register;
}
