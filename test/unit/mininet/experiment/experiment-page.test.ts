import * as fs from 'node:fs';
import * as path from 'node:path';
import { z } from 'zod';
import { experimentSchema, FIGURES } from '../../../../mininet/experiment/experiment';
import { loadCases } from '../../../../mininet/experiment/load-experiment';
import { prepareCase } from '../../../../mininet/io/run-case';
import { ROOT } from '../../../support/paths';

interface Part {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
  readonly additionalProperties?: Part | boolean;
  readonly anyOf?: readonly Part[];
  readonly oneOf?: readonly Part[];
  readonly default?: unknown;
}

const PAGE = fs.readFileSync(path.join(ROOT, 'docs', 'experiment-yaml.md'), 'utf8');

/** Every key that the schema takes, by its path, with its default if it has one. */
function keysOf(part: Part, at = ''): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const add = (more: Map<string, unknown>): void =>
    more.forEach((value, key) => found.set(key, value));
  for (const [key, own] of Object.entries(part.properties ?? {})) {
    const place = at === '' ? key : `${at}.${key}`;
    found.set(place, own.default);
    add(keysOf(own, place));
  }
  if (part.items !== undefined) add(keysOf(part.items, `${at}[]`));
  if (typeof part.additionalProperties === 'object') {
    add(keysOf(part.additionalProperties, `${at}.NAME`));
  }
  for (const way of [...(part.anyOf ?? []), ...(part.oneOf ?? [])]) add(keysOf(way, at));
  return found;
}

/** The last cell of each row, by the key in its first. */
const rows = (): Map<string, string> =>
  new Map(
    [...PAGE.matchAll(/^\| `([^`]+)` \| .* \| ?([^|]*?) ?\|$/gm)].map(([, key = '', last = '']) => [
      key,
      last,
    ]),
  );

describe('the page of the YAML of experiments', () => {
  const schema = keysOf(z.toJSONSchema(experimentSchema, { io: 'input' }) as Part);

  test('has a row for every key of the schema, and no other', () => {
    expect([...rows().keys()].sort()).toEqual([...schema.keys()].sort());
  });

  test('tells the defaults of the schema', () => {
    for (const [key, value] of schema) {
      if (typeof value !== 'number' && typeof value !== 'string') continue;
      expect(`${key}: ${rows().get(key)?.replaceAll('`', '')}`).toBe(`${key}: ${value}`);
    }
  });

  test('names all figures', () => {
    for (const figure of FIGURES) expect(PAGE).toContain(`\`${figure}\``);
  });

  test('begins with an experiment that can be run', () => {
    const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(PAGE) ?? [];
    const file = path.join(ROOT, 'docs', 'experiment-yaml.md');
    const [own, ...others] = loadCases({ file, text }, { kind: 'embedded', set: [] });
    expect([own?.document.experiment, others]).toEqual(['my-first', []]);
    if (own === undefined) throw new Error('there is no case');
    const programs = {
      hpcc: ['hpcc'],
      bmv2: 'simple_switch_grpc',
      kind: 'embedded' as const,
      separate: false,
    };
    const setting = { programs, pcap: false, experimentFile: file, folder: 'out' };
    const { plan } = prepareCase(own, setting);
    expect(plan.switches.map(({ name }) => name)).toEqual(['s1', 's2']);
  });
});
