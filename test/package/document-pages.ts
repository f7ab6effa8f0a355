import * as path from 'node:path';
import { DOCUMENTS, jsonSchemaOf } from '../../cli/commands/document-schemas';
import type { DocumentName, JsonSchema } from '../../cli/commands/document-schemas';
import { repositoryRoot } from '../../common/io/repository';

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

/** Documents whose keys a page lists; experiments and groups have pages of their own words. */
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
} as const satisfies Readonly<Record<string, Page>>;

export type PageName = keyof typeof PAGES;

/** One key of a document. */
export interface KeyRow {
  /** Keys on the way, parted by dots; `[]` for each element of a list, `NAME` for any name. */
  readonly key: string;
  readonly value: string;
  readonly unit: string;
  readonly usual: string;
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
    walk(part, at, rows, (kindOf, own, where) =>
      section(`${where}: ${kindOf}`, own.description ?? '', own, where),
    );
    if (rows.length === 0) sections.splice(place, 1);
  };
  section('Keys', '', jsonSchemaOf(name), '');
  return sections;
}

type AddSection = (kind: string, part: JsonSchema, at: string) => void;

function walk(part: JsonSchema, at: string, rows: KeyRow[], addSection: AddSection): void {
  const { properties = {}, required = [], items, additionalProperties: others } = part;
  for (const [key, own] of Object.entries(properties)) {
    const place = at === '' ? key : `${at}.${key}`;
    if (key === 'kind' && own.const !== undefined) continue;
    const isRequired = required.includes(key);
    rows.push(rowOf(place, own, isRequired));
    walk(own, place, rows, addSection);
  }
  if (typeof items === 'object') walk(items, `${at}[]`, rows, addSection);
  if (typeof others === 'object') walk(others, `${at}.NAME`, rows, addSection);
  for (const way of [...(part.anyOf ?? []), ...(part.oneOf ?? [])]) {
    const kind = way.properties?.['kind']?.const;
    if (typeof kind === 'string') addSection(kind, way, at);
    else walk(way, at, rows, addSection);
  }
}

function rowOf(key: string, part: JsonSchema, isRequired: boolean): KeyRow {
  const usual =
    part.default === undefined
      ? isRequired
        ? 'must be given'
        : ''
      : code(JSON.stringify(part.default));
  return {
    key,
    value: valueText(part),
    unit: unitOf(key, part),
    usual,
    meaning: part.description ?? '',
  };
}

/** Units by the end of a key's name. */
const UNITS: readonly (readonly [end: RegExp, unit: string])[] = [
  [/Gbps$/, 'Gb/s'],
  [/Mbps$/, 'Mb/s'],
  [/Bps$/, 'bit/s'],
  [/(^b|B)ytes(PerPair)?$|^mss$/, 'bytes'],
  [/Packets$/, 'packets'],
  [/Seconds$/, 's'],
  [/Ms$/, 'ms'],
  [/Us$/, 'us'],
  [/Ns$/, 'ns'],
  [/Mb$/, 'MB'],
];

/** Unit of a number; empty for what has none: texts, lists, numbers of things, shares. */
export function unitOf(key: string, part: JsonSchema): string {
  if (!isNumber(part)) return '';
  const name = key.split('.').at(-1) ?? '';
  const known = UNITS.find(([end]) => end.test(name.replace(/\[\]$/, '')));
  if (known !== undefined) return known[1];
  const { maximum } = part;
  if (part.type === 'number') return maximum === 1 ? 'share of 1' : 'ratio';
  return '';
}

const isNumber = ({ type, anyOf = [] }: JsonSchema): boolean =>
  type === 'number' || type === 'integer' || anyOf.some(isNumber);

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

const code = (text: string): string => `\`${text.replaceAll('|', String.raw`\|`)}\``;

const HEADS = ['key', 'value', 'unit', 'unless given', 'meaning'];

/** The line that leads back to the first page. */
const DOORS: Readonly<Record<PageName, string>> = {
  scenario: '[Simulate](index.md#simulate) · [tutorial](tutorial.md)',
  study: '[Simulate](index.md#simulate) · [tutorial](tutorial.md)',
  network: '[Deploy](index.md#deploy) · [tutorial](tutorial-deploy.md)',
};

/** Text of the page of a document. */
export function documentPage(name: PageName): string {
  const { about, elsewhere = [] }: Page = PAGES[name];
  const { title } = DOCUMENTS[name];
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
    const cells = own.map(({ key, value, unit, usual, meaning }) => [
      code(key),
      value,
      unit,
      usual,
      meaning,
    ]);
    const table = [HEADS, HEADS.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`);
    return [`## ${heading}`, '', ...(text === '' ? [] : [text, '']), ...table, ''].join('\n');
  });
  return [...head, ...sections].join('\n');
}
