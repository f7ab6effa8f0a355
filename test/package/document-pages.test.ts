import * as fs from 'node:fs';
import * as path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { parse } from 'yaml';
import { DOCUMENT_NAMES, jsonSchemaOf } from '../../cli/shared/document-schemas';
import type { DocumentName } from '../../cli/shared/document-schemas';
import { ROOT } from '../support/paths';
import { shownIn, unitOf } from './document-keys';
import { PAGES, documentPage, schemaFile, schemaText, sectionsOf } from './document-pages';
import type { PageName } from './document-pages';

const yamlIn = (...folder: string[]): string[] => {
  const at = path.join(ROOT, ...folder);
  return fs
    .readdirSync(at)
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => path.join(at, name));
};

const read = (files: readonly string[]): readonly unknown[] =>
  files.map((file) => parse(fs.readFileSync(file, 'utf8')) as unknown);

const EXAMPLES: Readonly<Record<DocumentName, readonly unknown[]>> = {
  scenario: read(yamlIn('emulator', 'scenario', 'catalogue')),
  network: [shownIn('controller.md')],
  study: read(yamlIn('examples', 'studies')),
  experiment: read(yamlIn('mininet', 'experiments')),
};

const accepts = (name: DocumentName) =>
  new Ajv2020({
    strict: false,
    formats: { ipv4: true, ipv6: true, cidrv4: true, cidrv6: true },
  }).compile(jsonSchemaOf(name) as object);

describe.each(Object.keys(PAGES) as PageName[])('the page of the YAML of a %s', (name) => {
  test('says what the schema says; otherwise npm run api writes it again', () => {
    expect(documentPage(name)).toBe(fs.readFileSync(PAGES[name].file, 'utf8'));
  });
});

describe.each(DOCUMENT_NAMES)('the JSON Schema of a %s', (name) => {
  test('is in the package; otherwise npm run api writes it again', () => {
    expect(schemaText(name)).toBe(fs.readFileSync(schemaFile(name), 'utf8'));
  });

  test('says of every key what it means', () => {
    const silent = sectionsOf(name).flatMap(({ rows }) =>
      rows.filter(({ meaning }) => !/^\S.*\.$/.test(meaning)).map(({ key }) => key),
    );
    expect(silent).toEqual([]);
  });

  test('says of every key what holds without it, an example, and of every number its unit', () => {
    const rows = sectionsOf(name).flatMap((section) => section.rows);
    expect(rows.filter(({ usual }) => usual === '').map(({ key }) => key)).toEqual([]);
    expect(rows.filter(({ example }) => example === undefined).map(({ key }) => key)).toEqual([]);
    const bare = rows.filter(({ value, unit }) => / number/.test(value) && unit === '');
    expect(bare.map(({ key }) => key)).toEqual([]);
  });

  test('accepts the documents of the project', () => {
    const check = accepts(name);
    expect(EXAMPLES[name].filter((document) => !check(document))).toEqual([]);
  });

  test('refuses an unknown key, and a list in its place', () => {
    const check = accepts(name);
    for (const document of EXAMPLES[name].slice(0, 3)) {
      expect(check({ ...(document as object), colour: 'red' })).toBe(false);
      expect(check([document])).toBe(false);
    }
  });
});

test('units follow from names', () => {
  const number = { type: 'number' };
  expect(unitOf('topology.rateGbps', number)).toBe('Gb/s');
  expect(unitOf('flows[].startUs', number)).toBe('us');
  expect(unitOf('flows[].bytes', { type: 'integer' })).toBe('bytes');
  expect(unitOf('topology.hosts', { type: 'integer' })).toBe('count');
  expect(unitOf('flows[].dscp', { type: 'integer' })).toBe('number of one');
  expect(unitOf('ramp.factor', { anyOf: [number, { type: 'string' }] })).toBe('ratio');
  expect(unitOf('workloads[].load', { type: 'number', maximum: 1 })).toBe('share of 1');
  expect(unitOf('title', { type: 'string' })).toBe('');
});
