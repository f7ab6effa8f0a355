import type { Command } from 'commander';
import { runSwitch } from '../../switch/io/run-switch';

/** The switch reads its arguments itself, because its command line is that of simple_switch_grpc. */
export function registerSwitch(command: Command): void {
  command
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument('[arguments...]', 'as of simple_switch_grpc; see hpcc switch --help')
    .action(() => runSwitch(switchArguments(process.argv)));
}

/** Everything behind the command's name, also the separator, which commander would swallow. */
function switchArguments(argv: readonly string[]): readonly string[] {
  return argv.slice(argv.indexOf('switch', 2) + 1);
}
