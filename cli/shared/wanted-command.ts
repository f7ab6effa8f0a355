import type { Command } from 'commander';

/** Gives a command its arguments, options and action, or its subcommands. */
export type Register = (command: Command) => void;

/**
 * Adds the commands of a group, in the order of the help text. A module is loaded when its command is wanted: a study
 * that is finished says so without loading an emulator.
 * @param wanted the only command that is needed; all are there unless it is one of them.
 */
export function addWanted(
  group: Command,
  commands: Readonly<Record<string, () => Register>>,
  wanted = process.argv[3],
): void {
  const only = Object.entries(commands).filter(([name]) => name === wanted);
  for (const [, load] of only.length > 0 ? only : Object.entries(commands)) load()(group);
}
