import type { Command } from 'commander';
import { commandLine } from '../../../cli/command-line';
import { COMMAND_NAMES, namedCommand } from '../../../cli/command-names';

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

  test.each(COMMAND_NAMES)('explains %s alike when no other command is wanted', (name) => {
    const helpOf = ({ commands }: Command): string | undefined =>
      commands.find((command) => command.name() === name)?.helpInformation();
    expect(helpOf(commandLine(name))).toBe(helpOf(commandLine()));
  });

  test.each([
    [['run', 'decode'], 'run'],
    [['help', 'view'], 'view'],
    [['-h', 'study'], 'study'],
    [['--help'], 'none'],
    [['rnu', 'toString'], 'none'],
    [[], 'none'],
  ])('%j is about %s', (words, name) => expect(namedCommand(words)).toBe(name));

  test('names what contributors need under a heading of its own, at the end', () => {
    const [, ends = ''] = commandLine().helpInformation().split('For contributors:');
    expect([...ends.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name)).toEqual([
      'emit',
      'p4',
      'proto',
    ]);
  });

  test('lists all commands alike, and loads none, when none of them is named', () => {
    const bare = commandLine('none');
    expect(bare.helpInformation()).toBe(commandLine().helpInformation());
    const parts = bare.commands.flatMap((each) => [...each.options, ...each.commands]);
    expect(parts).toEqual([]);
  });
});
