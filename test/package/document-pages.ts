import * as path from 'node:path';
import { DOCUMENTS, jsonSchemaOf } from '../../cli/shared/document-schemas';
import type { DocumentName, JsonSchema } from '../../cli/shared/document-schemas';
import { repositoryRoot } from '../../common/io/repository';
import { code, exampleText, unitOf, usualText } from './document-keys';

const DOCS = path.join(repositoryRoot(), 'docs');

export const schemaFile = (name: DocumentName): string =>
  path.join(DOCS, 'schemas', `${name}.schema.json`);

/** JSON Schema as the package has it. */
export const schemaText = (name: DocumentName): string => `${JSON.stringify(jsonSchemaOf(name))}\n`;

interface Page {
  readonly file: string;
  readonly about: string;
  /** Parts whose keys are on another page. */
  readonly elsewhere?: readonly string[];
}

const EXPERIMENT = `An experiment of [\`hpcc mininet\`](mininet-experiments.md) is one YAML file; those of the project are in
\`mininet/experiments\`. This is a whole one, for the topology \`chain\` among them, two switches in a row:

\`\`\`yaml
experiment: my-first
title: Two flows, one after the other
topology: chain
parameters:
  seconds: {default: 6, min: 2, about: how long each flow sends}
  rate: {default: 8, min: 1, about: bottleneck in Mb/s}
  hostRate: {default: 40, min: 1, about: links of the hosts in Mb/s}
  rttUs: {default: 20000, min: 100, about: T in us}
  queuePackets: {default: 200, min: 1, about: packets that a queue holds}
bottleneck: "s1:3"
frameBytes: 1106
algorithm: {baseRttUs: $rttUs, expectedFlows: 2}
flows:
  - {name: first, kind: hpcc, from: h1, to: h2, seconds: $seconds}
  - {name: second, kind: hpcc, from: h3, to: h4, seconds: $seconds, start: 2}
bars:
  - {figure: utilisation, atLeast: 0.5}
\`\`\`

\`$name\` stands for a parameter, in the experiment and in its topology; \`--set name=value\` replaces its default.
\`./hpcc mininet FILE --dry-run\` prints what would run and needs neither root nor Mininet.
Any number, and any word of a fixed choice, may be such a parameter.`;

/** Documents whose keys a page lists. */
export const PAGES = {
  scenario: {
    file: path.join(DOCS, 'scenario-yaml.md'),
    about:
      'A scenario is what [`hpcc run` and `hpcc compare`](emulator.md) run in virtual time. Times count from its begin; the unit of a\n' +
      'quantity is in its name, and in the column *unit*. What `telemetry` and `coordination` have is the same as in\n' +
      '[a network](network-yaml.md); `parameters` are explained with [the settings of hosts](settings.md).',
    elsewhere: ['telemetry', 'coordination'],
  },
  network: {
    file: path.join(DOCS, 'network-yaml.md'),
    about:
      'A network is what [`hpcc controller`](controller.md) brings switches to. Rates and times are texts with a unit, such as\n' +
      '`10 Mb/s` and `1.5 us`.',
  },
  study: {
    file: path.join(DOCS, 'study-yaml.md'),
    about:
      'A study is what [`hpcc study`](study.md) runs: one scenario, what is varied in it, and what is kept of every run.',
  },
  experiment: {
    file: path.join(DOCS, 'experiment-yaml.md'),
    about: EXPERIMENT,
  },
} as const satisfies Readonly<Record<string, Page>>;

export type PageName = keyof typeof PAGES;

/** One key of a document. */
export interface KeyRow {
  /** Keys on the way, parted by dots; `[]` for each element of a list, `NAME` for any name. */
  readonly key: string;
  readonly value: string;
  readonly unit: string;
  readonly usual: string;
  /** A value as documents have it; undefined if there is none to show. */
  readonly example: string | undefined;
  readonly meaning: string;
}

/** Keys that go together: those of the document, or of one kind of a part of it. */
export interface KeySection {
  readonly title: string;
  readonly about: string;
  readonly rows: readonly KeyRow[];
}

/** All keys of a document, its kinds of parts in sections of their own. */
export function sectionsOf(name: DocumentName): readonly KeySection[] {
  const sections: KeySection[] = [];
  const section = (title: string, about: string, part: JsonSchema, at: string): void => {
    const rows: KeyRow[] = [];
    const place = sections.push({ title, about, rows }) - 1;
    walk({ name, part, at, rows }, (kindOf, own, where) =>
      section(`${where}: ${kindOf}`, own.description ?? '', own, where),
    );
    if (rows.length === 0) sections.splice(place, 1);
  };
  section('Keys', '', jsonSchemaOf(name), '');
  return sections;
}

type AddSection = (kind: string, part: JsonSchema, at: string) => void;

interface Walked {
  readonly name: DocumentName;
  readonly part: JsonSchema;
  readonly at: string;
  readonly rows: KeyRow[];
}

function walk({ name, part, at, rows }: Walked, addSection: AddSection): void {
  const { properties = {}, required = [], items, additionalProperties: others } = part;
  const walkOn = (next: JsonSchema, place: string): void =>
    walk({ name, part: next, at: place, rows }, addSection);
  for (const [key, own] of Object.entries(properties)) {
    const place = at === '' ? key : `${at}.${key}`;
    if (key === 'kind' && own.const !== undefined) continue;
    rows.push({
      key: place,
      value: valueText(own),
      unit: unitOf(place, own),
      usual: required.includes(key) ? 'must be given' : usualText(name, place, own),
      example: exampleText(name, place, own),
      meaning: own.description ?? '',
    });
    walkOn(own, place);
  }
  if (typeof items === 'object') walkOn(items, `${at}[]`);
  if (typeof others === 'object') walkOn(others, `${at}.NAME`);
  for (const way of [...(part.anyOf ?? []), ...(part.oneOf ?? [])]) {
    const kind = way.properties?.['kind']?.const;
    if (typeof kind === 'string') addSection(kind, way, at);
    else walkOn(way, at);
  }
}

/** Values that a key takes, in words. */
function valueText(part: JsonSchema): string {
  const { type, enum: choices, anyOf, oneOf, items, prefixItems } = part;
  const { const: only } = part;
  if (only !== undefined) return code(typeof only === 'string' ? only : JSON.stringify(only));
  if (choices !== undefined) return choices.map((choice) => code(String(choice))).join(', ');
  const ways = [...(anyOf ?? []), ...(oneOf ?? [])];
  if (ways.length > 0) {
    const kinds = ways.map((way) => way.properties?.['kind']?.const);
    if (kinds.every((kind) => kind !== undefined)) return `a section of one \`kind\` below`;
    return [...new Set(ways.map(valueText))].join(', or ');
  }
  switch (type) {
    case 'integer':
    case 'number':
      return `${type === 'integer' ? 'a whole number' : 'a number'}${rangeText(part)}`;
    case 'string':
      return 'a text';
    case 'boolean':
      return '`true`, `false`';
    case 'array':
      if (prefixItems !== undefined) return `${prefixItems.length} values`;
      return typeof items === 'object' ? `a list: ${valueText(items)}` : 'a list';
    case 'object':
      return part.properties === undefined ? 'values by name' : 'a section';
    case undefined:
    default:
      return 'any value';
  }
}

/** Limits that mean no more than what a number can hold are left out. */
const LARGEST = Number.MAX_SAFE_INTEGER;

function rangeText({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const from = minimum !== undefined && minimum > -LARGEST ? ` from ${minimum}` : '';
  const above = exclusiveMinimum === undefined ? '' : ` above ${exclusiveMinimum}`;
  const to = maximum !== undefined && maximum < LARGEST ? ` to ${maximum}` : '';
  return from + above + to;
}

const HEADS = ['key', 'value', 'unit', 'unless given', 'example', 'meaning'];

/** The line that leads back to the first page. */
const DOORS: Readonly<Record<PageName, string>> = {
  scenario: '[Simulate](index.md#simulate) · [tutorial](tutorial.md)',
  study: '[Simulate](index.md#simulate) · [tutorial](tutorial.md)',
  experiment: '[Emulate with Mininet](index.md#emulate) · [tutorial](tutorial-mininet.md)',
  network: '[Deploy](index.md#deploy) · [tutorial](tutorial-deploy.md)',
};

/** Text of the page of a document. */
export function documentPage(name: PageName): string {
  const { about, elsewhere = [] }: Page = PAGES[name];
  const title = name === 'experiment' ? 'The YAML of experiments' : DOCUMENTS[name].title;
  const head = [
    `# ${title}`,
    '',
    DOORS[name],
    '',
    about,
    '',
    `YAML or JSON. \`[]\` stands for each element of a list, \`NAME\` for a name of one's own; a key that is not here is refused.`,
    `For editors the same is [a JSON Schema](schemas/${name}.schema.json), which \`hpcc schema ${name}\` prints. This page is made`,
    'from the schema that reads documents, by `npm run api`.',
    '',
  ];
  const sections = sectionsOf(name).map(({ title: heading, about: text, rows }) => {
    const own = rows.filter(({ key }) => !elsewhere.some((part) => key.startsWith(`${part}.`)));
    const cells = own.map(({ key, value, unit, usual, example = '', meaning }) => [
      code(key),
      value,
      unit,
      usual,
      example,
      meaning,
    ]);
    const table = [HEADS, HEADS.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`);
    return [`## ${heading}`, '', ...(text === '' ? [] : [text, '']), ...table, ''].join('\n');
  });
  return [...head, ...sections].join('\n');
}
