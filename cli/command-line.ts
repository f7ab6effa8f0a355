import { Command } from 'commander';
import { projectVersion } from '../common/io/repository';
import { COMMAND_NAMES, SUMMARIES } from './command-names';
import type { CommandName } from './command-names';
import type { Register } from './shared/wanted-command';

/**
 * Give a command its arguments, options and action. A module is loaded when its command is wanted: a host agent that
 * starts needs no emulator.
 */
const COMMANDS: Readonly<Record<CommandName, () => Register>> = {
  demo: () => (require('./commands/demo') as typeof import('./commands/demo')).registerDemo,
  run: () => (require('./commands/run') as typeof import('./commands/run')).registerRun,
  compare: () =>
    (require('./commands/compare') as typeof import('./commands/compare')).registerCompare,
  replay: () => (require('./commands/replay') as typeof import('./commands/replay')).registerReplay,
  agent: () => (require('./commands/agent') as typeof import('./commands/agent')).registerAgent,
  algorithm: () =>
    (require('./commands/algorithm') as typeof import('./commands/algorithm')).registerAlgorithm,
  bench: () => (require('./commands/bench') as typeof import('./commands/bench')).registerBench,
  controller: () =>
    (require('./controller/register') as typeof import('./controller/register')).registerController,
  decode: () => (require('./commands/decode') as typeof import('./commands/decode')).registerDecode,
  int: () => (require('./int/register') as typeof import('./int/register')).registerInt,
  flows: () => (require('./commands/flows') as typeof import('./commands/flows')).registerFlows,
  group: () => (require('./group/register') as typeof import('./group/register')).registerGroup,
  mininet: () =>
    (require('./commands/mininet') as typeof import('./commands/mininet')).registerMininet,
  'network-backend': () =>
    (require('./commands/network-backend') as typeof import('./commands/network-backend'))
      .registerNetworkBackend,
  schema: () => (require('./commands/schema') as typeof import('./commands/schema')).registerSchema,
  send: () => (require('./commands/send') as typeof import('./commands/send')).registerSend,
  study: () => (require('./study/register') as typeof import('./study/register')).registerStudy,
  switch: () => (require('./commands/switch') as typeof import('./commands/switch')).registerSwitch,
  stf: () => (require('./commands/stf') as typeof import('./commands/stf')).registerStf,
  view: () => (require('./commands/view') as typeof import('./commands/view')).registerView,
  plot: () => (require('./commands/plot') as typeof import('./commands/plot')).registerPlot,
  export: () => (require('./commands/export') as typeof import('./commands/export')).registerExport,
  why: () => (require('./commands/why') as typeof import('./commands/why')).registerWhy,
  test: () => (require('./commands/test') as typeof import('./commands/test')).registerTest,
  docs: () => (require('./commands/docs') as typeof import('./commands/docs')).registerDocs,
  emit: () => (require('./commands/emit') as typeof import('./commands/emit')).registerEmit,
  p4: () => (require('./commands/p4') as typeof import('./commands/p4')).registerP4,
  proto: () => (require('./commands/proto') as typeof import('./commands/proto')).registerProto,
};

/** Commands that only who changes the project needs; the last ones. */
const CONTRIBUTORS: ReadonlySet<string> = new Set(['emit', 'p4', 'proto']);

/**
 * The command line of `hpcc`.
 * @param wanted the only command that is needed, if any is; the others then have no arguments and options. All have
 * them where nothing is said.
 */
export function commandLine(wanted?: CommandName | 'none'): Command {
  const program = new Command('hpcc');
  program
    .description('HPCC++ on P4: telemetry, control plane, hosts, and a network in virtual time.')
    .version(projectVersion())
    .showHelpAfterError('(hpcc --help lists commands and options)')
    .exitOverride();
  for (const name of COMMAND_NAMES) {
    if (CONTRIBUTORS.has(name)) program.commandsGroup('For contributors:');
    const command = program.command(name).summary(SUMMARIES[name]);
    if (wanted === undefined || wanted === name) COMMANDS[name]()(command);
  }
  // What arguments a command has stands in its own help.
  program.configureHelp({ subcommandTerm: (command) => command.name() });
  return program;
}
