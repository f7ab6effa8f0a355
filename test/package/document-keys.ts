import * as fs from 'node:fs';
import * as path from 'node:path';
import { parse } from 'yaml';
import type { DocumentName, JsonSchema } from '../../cli/shared/document-schemas';
import { repositoryRoot } from '../../common/io/repository';
import { SETTINGS } from '../../host-agent/settings/settings';
import type { Setting } from '../../host-agent/settings/setting';

/** Units by the end of a key's name. */
const UNITS: readonly (readonly [end: RegExp, unit: string])[] = [
  [/Gbps$/, 'Gb/s'],
  [/Mbps$/, 'Mb/s'],
  [/Bps$/, 'bit/s'],
  [/(^b|B)ytes(PerPair)?$|^(mss|mtu)$/, 'bytes'],
  [/Packets$/, 'packets'],
  [/Seconds$|^(seconds|start|every|at|warmUp)$/, 's'],
  [/Ms$/, 'ms'],
  [/Us$/, 'us'],
  [/Ns$/, 'ns'],
  [/Mb$/, 'MB'],
  [/^quanta$/, '512 bit times'],
  [/Share$|^(load|share)$/, 'share of 1'],
  [
    /^(id|dscp|queue|priority|priorities|member|group|session|seed|boot|data|wideData|domain|instance|namespace)$|(Id|Port|Dscp|Session|Seed)$|^(port|panel)$/,
    'number of one',
  ],
  [/^(instructions|dsInstruction|traceType)$/, 'bitmap'],
];

/** Unit of a number; empty for what is none: texts, lists, sections. */
export function unitOf(key: string, part: JsonSchema): string {
  const number = numberIn(part);
  if (number === undefined) return '';
  const name = (key.split('.').at(-1) ?? '').replace(/\[\]$/, '');
  const known = UNITS.find(([end]) => end.test(name));
  if (known !== undefined) return known[1];
  if (number.type === 'number') return number.maximum === 1 ? 'share of 1' : 'ratio';
  return 'count';
}

/** The part that takes a number, of a key that takes one or a list of them. */
function numberIn(part: JsonSchema): JsonSchema | undefined {
  if (part.type === 'number' || part.type === 'integer') return part;
  const items = typeof part.items === 'object' ? [part.items] : [];
  return [...(part.anyOf ?? []), ...items].map(numberIn).find((found) => found !== undefined);
}

/** Words for the default of a key, where the schema has none. */
const OTHERWISE: Readonly<Record<DocumentName, readonly (readonly [key: RegExp, text: string])[]>> =
  {
    scenario: [
      [/^flows\[\]\.dscp$/, '0'],
      [/^flows\[\]\.admission\.(loadBelow|withinUs)$/, 'no such limit'],
      [/trunkRateGbps|fabricRateGbps/, "that of the hosts' links"],
      [/^notificationFaults\.seed$/, 'that of the run'],
    ],
    network: [
      [/(clockUnitNs|queueUnitBytes|packetBytes)$/, 'that of the target'],
      [/depthPackets$/, "the switch's own"],
      [/(fromPort|toPort|\.dscp|protocol|\.from|\.to)$/, 'any'],
      [/txUnitBytes$/, 'that of the target'],
      [/\.instructions$/, 'all that HPCC++ needs'],
      [/int\.carriers$/, 'all'],
      [/\.mtu$/, 'not told to switches'],
      [/switches\[\]\.program$/, 'that of the network'],
      [/switches\[\]\.tls$/, 'that of the network'],
      [/ports\[\]\.speed$/, 'the lowest that carries the link'],
      [/(fec|autoneg)$/, "the switch's own"],
      [/nodeId$/, 'the place in the list'],
    ],
    study: [
      [/^title$/, 'the name'],
      [/^(base|scenario)$/, 'the other one of base and scenario'],
      [/(values|range)$/, 'the other one of values and range'],
      [/(step|count)$/, 'the other one of step and count'],
    ],
    experiment: [
      [/(min|max|capacityShare|rateBps)$/, 'no limit'],
      [/\.cases$/, 'all'],
      [/^bars\[\]\.case$/, 'all'],
      [/algorithm\.waiBytes$/, 'as N says'],
      [/algorithm\.expectedFlows$/, '100, without `waiBytes`'],
      [/^(cases|ramp)$/, 'one run'],
      [/^flows\[\]\.(seconds|bytes)$/, 'the other one of seconds and bytes'],
      [/(headroomBytes)$/, 'what a link brings in 5 ms, and three frames'],
      [/(resumeOffsetBytes)$/, 'two frames'],
      [/^notEmulated$/, 'it can'],
    ],
  };

/** Default of a key, or words for what holds without it. */
export function usualText(name: DocumentName, key: string, part: JsonSchema): string {
  if (part.default !== undefined && part.default !== null)
    return code(JSON.stringify(part.default));
  const [, text] = OTHERWISE[name].find(([pattern]) => pattern.test(key)) ?? [];
  return text ?? settingText(key) ?? sectionText(part);
}

/** Words of the table of settings, for parameters of scenarios. */
function settingText(key: string): string | undefined {
  const [, name = ''] = /^parameters\.(\w+)$/.exec(key) ?? [];
  return (SETTINGS as Readonly<Record<string, Setting | undefined>>)[name]?.otherwise;
}

const sectionText = ({ description = '' }: JsonSchema): string =>
  /[Uu]nless given|[Dd]efault:|[Aa]bsent|otherwise/.test(description) ? 'as told beside' : 'none';

/** Documents by kind that examples are taken from: of the project, and those that use every other key. */
export const documentSources = (name: DocumentName): readonly unknown[] => {
  const folders: Readonly<Record<DocumentName, string>> = {
    scenario: 'emulator/scenario/catalogue',
    network: 'mininet/experiments/topologies',
    study: 'examples/studies',
    experiment: 'mininet/experiments',
  };
  const extra = path.join(DOCUMENTS_FOLDER, `${name}.yaml`);
  const files = [...yamlFiles(path.join(repositoryRoot(), folders[name])), extra];
  return [
    ...files.map((file) => parse(fs.readFileSync(file, 'utf8')) as unknown),
    ...(name === 'network' ? [shownIn('deploy.md')] : []),
    ...(name === 'experiment' ? [shownIn('experiment-yaml.md')] : []),
  ];
};

/** The first document that a page shows. */
export function shownIn(page: string): unknown {
  const text = fs.readFileSync(path.join(repositoryRoot(), 'docs', page), 'utf8');
  return parse(/^```yaml\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? '');
}

/** One valid document of each kind, with keys that no document of the project has. */
export const DOCUMENTS_FOLDER = path.join(repositoryRoot(), 'test', 'fixtures', 'documents');

const yamlFiles = (folder: string): string[] =>
  fs
    .readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => path.join(folder, name));

/** Values in documents by place: keys parted by dots, `[]` for elements of lists. */
function valuesByPlace(documents: readonly unknown[]): ReadonlyMap<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  const collect = (value: unknown, at: string): void => {
    const there = found.get(at) ?? [];
    found.set(at, [...there, value]);
    if (Array.isArray(value)) for (const element of value) collect(element, `${at}[]`);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, own] of Object.entries(value))
        collect(own, at === '' ? key : `${at}.${key}`);
    }
  };
  for (const document of documents) {
    collect(document, '');
    const { variants } = document as { readonly variants?: Readonly<Record<string, unknown>> };
    for (const variant of Object.values(variants ?? {})) collect(variant, '');
  }
  return found;
}

/** Documents that examples are taken from; scenarios have two sections of networks. */
const exampleSources = (name: DocumentName): readonly unknown[] =>
  name !== 'scenario'
    ? documentSources(name)
    : [
        ...documentSources(name),
        ...documentSources('network').map((document) => {
          const { telemetry, coordination } = document as Readonly<Record<string, unknown>>;
          return {
            ...(telemetry !== undefined && { telemetry }),
            ...(coordination !== undefined && { coordination }),
          };
        }),
      ];

const known = new Map<DocumentName, ReadonlyMap<string, unknown[]>>();

const LONGEST = 60;

/** A value of the key as documents have it: the shortest one that says something. Undefined if there is none. */
export function exampleText(name: DocumentName, key: string, part: JsonSchema): string | undefined {
  const places = known.get(name) ?? valuesByPlace(exampleSources(name));
  known.set(name, places);
  const pattern = new RegExp(
    `^${key.replaceAll(/[.[\]]/g, String.raw`\$&`).replaceAll('NAME', '[^.]+')}$`,
  );
  const values = [...places]
    .filter(([place]) => pattern.test(place))
    .flatMap(([, found]) => found.map((value) => JSON.stringify(value)))
    .filter((text) => !text.includes('$'))
    .sort((a, b) => a.length - b.length);
  const telling = values.find((text) => !['{}', '[]', 'null'].includes(text)) ?? values[0];
  const text = telling ?? byItself(part);
  if (text === undefined) return undefined;
  return text.length <= LONGEST || !/^[[{]/.test(text) ? code(text) : 'the keys below';
}

/** An example that the schema itself has: its default, a choice, or a switch. */
function byItself(part: JsonSchema): string | undefined {
  const { default: usual, enum: choices, const: only, type, items } = part;
  if (usual !== undefined && !['{}', '[]', 'null'].includes(JSON.stringify(usual))) {
    return JSON.stringify(type === 'boolean' ? usual !== true : usual);
  }
  if (only !== undefined) return JSON.stringify(only);
  if (choices !== undefined) return JSON.stringify(choices[0]);
  if (type === 'boolean') return 'true';
  if (typeof items === 'object') {
    const element = byItself(items);
    return element === undefined ? undefined : `[${element}]`;
  }
  return (part.anyOf ?? []).map(byItself).find((text) => text !== undefined);
}

export const code = (text: string): string => `\`${text.replaceAll('|', String.raw`\|`)}\``;
