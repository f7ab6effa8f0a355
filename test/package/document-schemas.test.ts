import * as fs from 'node:fs';
import * as path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { parse } from 'yaml';
import type { z } from 'zod';
import { DOCUMENT_NAMES, DOCUMENTS, jsonSchemaOf } from '../../cli/shared/document-schemas';
import type { DocumentName } from '../../cli/shared/document-schemas';
import { DOCUMENTS_FOLDER, documentSources } from './document-keys';

/** Values of which nearly every key refuses most. */
const WRONG: readonly unknown[] = [null, true, -1, 0.5, 1e300, 'no such thing', [], [{}], {}, [[]]];

const reader = (name: DocumentName): z.ZodType => DOCUMENTS[name].schema;

const checker = (name: DocumentName): ((document: unknown) => boolean) => {
  const formats = { ipv4: true, ipv6: true, cidrv4: true, cidrv6: true } as const;
  const check = new Ajv2020({ strict: false, formats }).compile(jsonSchemaOf(name) as object);
  return (document) => check(document);
};

/** A document with one change, and the place of it. */
interface Mutant {
  readonly place: string;
  readonly document: unknown;
}

/** All changes of one value: others in its place, an unknown key, and a key less. */
function* mutants(document: unknown): Generator<Mutant> {
  for (const { at, value } of places(document)) {
    for (const wrong of WRONG) yield mutant(document, at, () => wrong, JSON.stringify(wrong));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    yield mutant(document, at, (own) => ({ ...(own as object), colour: 'red' }), 'unknown key');
    for (const key of Object.keys(value)) {
      const without = (own: unknown): unknown =>
        Object.fromEntries(Object.entries(own as object).filter(([name]) => name !== key));
      yield mutant(document, at, without, `without ${key}`);
    }
  }
}

interface Place {
  readonly at: readonly (string | number)[];
  readonly value: unknown;
}

function* places(value: unknown, at: readonly (string | number)[] = []): Generator<Place> {
  yield { at, value };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, own] of Object.entries(value)) {
    yield* places(own, [...at, Array.isArray(value) ? Number(key) : key]);
  }
}

function mutant(
  document: unknown,
  at: Place['at'],
  change: (own: unknown) => unknown,
  what: string,
): Mutant {
  const changed = (value: unknown, rest: Place['at']): unknown => {
    const [key, ...further] = rest;
    if (key === undefined) return change(value);
    if (Array.isArray(value)) {
      return value.map((own: unknown, i) => (i === key ? changed(own, further) : own));
    }
    const own = value as Readonly<Record<string, unknown>>;
    return { ...own, [key]: changed(own[key], further) };
  };
  return { place: `${at.join('.')}: ${what}`, document: changed(document, at) };
}

/** True if the reader refuses for more than a rule of its own between keys, or on the text of a value. */
function isRefusedByForm(issues: readonly z.core.$ZodIssue[]): boolean {
  return issues.some((issue) =>
    issue.code === 'invalid_union'
      ? issue.errors.length > 0 && issue.errors.every(isRefusedByForm)
      : issue.code !== 'custom',
  );
}

describe.each(DOCUMENT_NAMES)('the JSON Schema of a %s', (name) => {
  const check = checker(name);
  const own = parse(
    fs.readFileSync(path.join(DOCUMENTS_FOLDER, `${name}.yaml`), 'utf8'),
  ) as unknown;

  test('and the reader take the document with every other key', () => {
    const { error } = reader(name).safeParse(own);
    expect(error?.issues ?? []).toEqual([]);
    expect(check(own)).toBe(true);
  });

  test('refuses what the reader refuses by its form, and takes what the reader takes', () => {
    const [refused, tooStrict, tooLax]: [string[], string[], string[]] = [[], [], []];
    for (const document of [own, ...documentSources(name).slice(0, 3)]) {
      if (!reader(name).safeParse(document).success) continue;
      for (const { place, document: changed } of mutants(document)) {
        const { success, error } = reader(name).safeParse(changed);
        const isAccepted = check(changed);
        if (success && !isAccepted) tooStrict.push(place);
        if (!success && isRefusedByForm(error.issues)) {
          refused.push(place);
          if (isAccepted) tooLax.push(place);
        }
      }
    }
    expect(refused.length).toBeGreaterThan(150);
    expect(tooStrict).toEqual([]);
    expect(tooLax).toEqual([]);
  });
});
