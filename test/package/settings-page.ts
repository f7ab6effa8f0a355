import * as path from 'node:path';
import { repositoryRoot } from '../../common/io/repository';
import { rangeText } from '../../cli/shared/setting-options';
import { agreementOn, TOLD_SETTINGS } from '../../host-agent/settings/agreement';
import { asOption, RULES } from '../../host-agent/settings/refusal';
import type { Agreement, Setting } from '../../host-agent/settings/setting';
import { SETTING_NAMES, SETTINGS } from '../../host-agent/settings/settings';
import type { SettingName } from '../../host-agent/settings/settings';

export const SETTINGS_PAGE = path.join(repositoryRoot(), 'docs', 'settings.md');

const HEAD = `# Settings of a host

[Deploy](index.md#deploy) · [Simulate](index.md#simulate)

Every setting of a host, with its one name on all commands and in all documents: \`--max-stage\` of \`hpcc run\`,
\`compare\`, \`agent\` and \`send\`, which groups and Mininet experiments run, is \`maxStage\` among the \`parameters\` of a
scenario. This page is made from the table that all of them read, \`host-agent/settings/settings.ts\`, by
\`npm run api\`; which ways of feedback, framing and coordination go together is in [combinations.md](combinations.md).

*on*: S scenario documents, \`hpcc run\` and \`compare\`; A \`hpcc agent\`; T \`hpcc agent --tcp\`; F \`hpcc send\`. *side*: the
host of a flow that it belongs to, and elsewhere it is refused: the *starter* of the flow, its *sender*, its *receiver*, or
the one that runs the algorithm (*control*); *both* need the same, *each* host has its own. Old
names are accepted in this version, with a note on standard error.
`;

/** The text of docs/settings.md. */
export function settingsPage(): string {
  const sections = [...new Set(SETTING_NAMES.map((name) => SETTINGS[name].section))];
  const tables = sections.map((section) => {
    const names = SETTING_NAMES.filter((name) => SETTINGS[name].section === section);
    const rows = names.map((name) => cellsOf(name, SETTINGS[name]));
    return `## ${section.replace(/:$/, '')}\n\n${tableText([COLUMNS, ...rows])}\n`;
  });
  return [HEAD, ...tables, agreementText(), rulesText()].join('\n');
}

const AGREEMENTS: Readonly<Record<Exclude<Agreement, 'never'>, string>> = {
  always: 'always',
  rocev2: 'over RoCEv2',
  'receiver-computes':
    'where the receiver computes: `--feedback receiver` or `receiver-probe`, `--links hidden`, `--flow-count receiver`',
};

/** Lists the settings that hosts on interfaces compare with their peers. */
function agreementText(): string {
  const rows = Object.entries(AGREEMENTS).map(([when, text]) => [
    text,
    TOLD_SETTINGS.filter((name) => agreementOn(name) === when)
      .map((name) => code(asOption(name)))
      .join(', '),
  ]);
  return `${AGREEMENT_HEAD}\n${tableText([['when', 'settings'], ...rows])}\n`;
}

const AGREEMENT_HEAD = `## Settings in which hosts must agree

Hosts on interfaces tell each other these, and name what differs ([agent.md](agent.md#settings-that-both-hosts-need)).
\`--collect\`, \`--return\` and \`--control-at\` are compared as the \`--feedback\` that they come to; of keys only whether there are
some; a T that is measured is not compared. Constants of an algorithm belong to the one host that runs it, and the other refuses them.
`;

const COLUMNS = ['option', 'meaning', 'value', 'default', 'on', 'side', 'old names', 'goes to'];

function cellsOf(name: SettingName, row: Setting): string[] {
  const { about, on, side, was = [], target = {}, tcp } = row;
  const places = [
    ...(on.includes('scenario') ? ['S'] : []),
    ...(on.includes('agent') && tcp !== 'needed' ? ['A'] : []),
    ...(tcp === undefined ? [] : ['T']),
    ...(on.includes('send') ? ['F'] : []),
  ];
  return [
    code(`${row.short === undefined ? '' : `${row.short}, `}${asOption(name)}`),
    about,
    valueText(row),
    defaultText(row),
    places.join(' '),
    side,
    was.map(({ name: old }) => code(old)).join(', '),
    Object.keys(target).map(code).join(', '),
  ];
}

function valueText({ value, framing, needs }: Setting): string {
  const text = {
    number: () => (value.kind === 'number' ? rangeText(value) : ''),
    choice: () => (value.kind === 'choice' ? value.choices.map(code).join(', ') : ''),
    text: () => 'text',
    flag: () => 'given or not',
    ports: () => 'ports, parted by commas',
    csig: () => 'a power of two, and a number of ns',
    constants: () => 'numbers by name',
    soon: () => 'seconds',
  }[value.kind]();
  const only = framing === undefined ? '' : `; only with \`--framing ${framing}\``;
  const besides = needs === undefined ? '' : `; only with ${code(asOption(needs as SettingName))}`;
  return `${text}${only}${besides}`;
}

function defaultText({ default: usual, hostDefault, otherwise, isRequired }: Setting): string {
  if (isRequired === true) return 'required';
  if (usual !== undefined && hostDefault !== null) return code(String(usual));
  const onInterfaces = hostDefault === undefined || hostDefault === null;
  return `${otherwise ?? ''}${onInterfaces ? '' : `; ${code(String(hostDefault))} on interfaces`}`;
}

/** Lists the rules of settings that exclude each other, in the order in which they are checked. */
function rulesText(): string {
  const lines = RULES.map(([, , sentence]) => `- ${spelled(sentence)}`);
  return `## What does not go together\n\n${lines.join('\n')}\n`;
}

const spelled = (sentence: string): string =>
  sentence.replace(/\{(\w+)(?:: ([\w-]+)|=)?\}/g, (_, name: SettingName, value?: string) =>
    code(asOption(name, value)),
  );

const code = (text: string): string => `\`${text}\``;

const tableText = (rows: readonly (readonly string[])[]): string => {
  const [head = [], ...body] = rows;
  const lines = [head, head.map(() => '---'), ...body];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
};
