import type { Command } from 'commander';
import { commandLine } from '../../../cli/command-line';

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

  test.each(commandLine().commands.map((command) => command.name()))(
    'explains %s alike when it has no other command',
    (name) => {
      const [all, one] = [commandLine(), commandLine(name)];
      expect(one.commands.map((command) => command.name())).toEqual([name]);
      const helpOf = ({ commands }: Command): string | undefined =>
        commands.find((command) => command.name() === name)?.helpInformation();
      expect(helpOf(one)).toBe(helpOf(all));
    },
  );

  test('names what contributors need under a heading of its own, at the end', () => {
    const [, ends = ''] = commandLine().helpInformation().split('For contributors:');
    expect([...ends.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name)).toEqual([
      'emit',
      'p4',
      'proto',
    ]);
  });

  test('has all commands when none of them is named', () => {
    const names = ({ commands }: Command): string[] => commands.map((each) => each.name());
    expect(names(commandLine('--help'))).toEqual(names(commandLine()));
  });
});
