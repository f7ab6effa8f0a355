import type { Command } from 'commander';
import { commandLine } from '../../../../emulator/io/command-line';

/** A command and all below it, by their full names. */
function withSubcommands(command: Command, name = command.name()): [string, Command][] {
  const below = command.commands.flatMap((each) => withSubcommands(each, `${name} ${each.name()}`));
  return [[name, command], ...below];
}

describe('the command line', () => {
  test.each(withSubcommands(commandLine()))('explains %s', (name, command) => {
    const help = command.helpInformation();
    expect(help).toContain(`Usage: ${name}`);
    expect(help).not.toMatch(/undefined|\[object|NaN/);
  });
});
