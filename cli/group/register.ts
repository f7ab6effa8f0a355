import type { Command } from 'commander';
import type { groupChosen, GroupFlags } from './group-chosen';

/** PERF: help and a fault in the words need neither switches nor hosts. */
const group = (): typeof groupChosen =>
  (require('./group-chosen') as typeof import('./group-chosen')).groupChosen;

export function registerGroup(command: Command): void {
  command
    .description(
      'Runs switches and hosts of a document in one process, each as hpcc switch, agent or send runs ' +
        'it alone: with interfaces, network namespace, servers and files of its own. What happens to ' +
        'them is told as lines of JSON. See docs/group.md.',
    )
    .argument('[file]', 'YAML or JSON: a list of nodes')
    .option('--commands', 'take commands from standard input, as lines of JSON', false)
    .option(
      '--before-helpers',
      'in real time: give the thread of the nodes a priority above those that compile for it',
      false,
    )
    .action((file: string | undefined, flags: GroupFlags) => group()(file, flags));
}
