import * as path from 'node:path';
import type { Argument, Command, Option } from 'commander';
import { commandLine } from '../../cli/command-line';
import { repositoryRoot } from '../../common/io/repository';
import { optionOf } from '../../host-agent/settings/setting';
import { SETTING_NAMES, SETTINGS } from '../../host-agent/settings/settings';

export const COMMANDS_PAGE = path.join(repositoryRoot(), 'docs', 'commands.md');

const HEAD = `# Commands

[All pages](index.md)

Every command of \`hpcc\` with its arguments and options, as \`--help\` prints them. Options that are settings of hosts have
their rows in [settings.md](settings.md). This page is made from the command line itself, by \`npm run api\`.
`;

/** A command with all of its own, at its place. */
interface Named {
  readonly name: string;
  readonly command: Command;
}

/** The commands that do something, those of groups behind each other. */
export function allCommands(
  from: Command = commandLine(),
  before: readonly string[] = [],
): readonly Named[] {
  const words = [...before, from.name()];
  const own = { name: words.join(' '), command: from };
  const below = from.commands.flatMap((each) => allCommands(each, words));
  return before.length === 0 || below.length > 0 ? below : [own];
}

/** Options that are on the page of settings. */
const SETTING_OPTIONS: ReadonlyMap<string, string> = new Map(
  SETTING_NAMES.map((name) => [optionOf(name), SETTINGS[name].section]),
);

const isSetting = ({ long, helpGroupHeading }: Option): boolean =>
  SETTING_OPTIONS.get(long ?? '') === helpGroupHeading && helpGroupHeading !== undefined;

/** Options that a command shows, parted into those of this page and settings of hosts. */
export function optionsOf({ options }: Command): {
  readonly own: readonly Option[];
  readonly settings: readonly Option[];
} {
  const shown = options.filter(({ hidden }) => !hidden);
  return {
    own: shown.filter((option) => !isSetting(option)),
    settings: shown.filter(isSetting),
  };
}

/** The text of docs/commands.md. */
export function commandsPage(): string {
  return [HEAD, ...allCommands().map(sectionText)].join('\n');
}

function sectionText({ name, command }: Named): string {
  const { own, settings } = optionsOf(command);
  const rows = [...command.registeredArguments.map(argumentCells), ...own.map(optionCells)];
  const table = [['option', 'meaning', 'default'], ['---', '---', '---'], ...rows];
  const names = settings.map(({ long }) => code(long ?? '')).join(', ');
  return [
    `## ${name}`,
    '',
    sentence(command.summary() || command.description()),
    '',
    ...(rows.length === 0 ? [] : [...table.map((cells) => `| ${cells.join(' | ')} |`), '']),
    ...(names === '' ? [] : [`[Settings of hosts](settings.md): ${names}.`, '']),
  ].join('\n');
}

const argumentCells = (argument: Argument): string[] => [
  code(argument.variadic ? `${argument.name()}...` : argument.name()),
  plain(argument.description),
  argument.required ? 'must be given' : defaultText(argument),
];

const optionCells = (option: Option): string[] => [
  code(option.flags),
  plain(option.description) + choicesText(option),
  option.mandatory ? 'must be given' : defaultText(option),
];

const choicesText = ({ argChoices }: Option): string =>
  argChoices === undefined ? '' : `: ${argChoices.map(code).join(', ')}`;

function defaultText({
  defaultValue,
  defaultValueDescription,
}: Pick<Option, 'defaultValue' | 'defaultValueDescription'>): string {
  const usual: unknown = defaultValue;
  if (defaultValueDescription !== undefined) return plain(defaultValueDescription);
  if (usual === undefined || (Array.isArray(usual) && usual.length === 0)) return '';
  return code(typeof usual === 'string' ? usual : JSON.stringify(usual));
}

const sentence = (text: string): string => {
  const words = plain(text);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.:]$/.test(words) ? '' : '.'}`;
};

/** Text of help as a cell of a table takes it. */
const plain = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/([|<>*_])/g, String.raw`\$1`);

const code = (text: string): string => `\`${text.replaceAll('|', String.raw`\|`)}\``;
