import { z } from 'zod';
import {
  FIGURE_SECTIONS,
  figureAt,
  figureName,
  findFigure,
} from '../../../../emulator/figures/dictionary';
import { loadScenario, withParameters } from '../../../../emulator/io/inputs/scenario-files';
import { scenarioNames } from '../../../../emulator/io/inputs/catalogue';
import { runScenario } from '../../../support/shared-runs';
import type { RunOptions } from '../../../../emulator/io/run-scenario';
import { resultSchema } from '../../../../emulator/result/result';
import type { Result } from '../../../../emulator/result/result';
import { SUMMARY_SCHEMA, summaryOf } from '../../../../emulator/study/summary';
import { parseScenario } from '../../../../emulator/scenario/schema';
import { runPage } from '../../../../emulator/view/data/run-page';
import { sampled } from '../../../support/sampled';

const FIGURES = FIGURE_SECTIONS.flatMap(([, figures]) => Object.entries(figures));

/** Paths of all numbers that a schema has, with `*` for any index or key. */
function numbersOf(schema: unknown, at: readonly string[] = []): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return numbersOf(schema.unwrap(), at);
  }
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([key, part]) => numbersOf(part, [...at, key]));
  }
  if (schema instanceof z.ZodArray) return numbersOf(schema.element, [...at, '*']);
  if (schema instanceof z.ZodRecord) return numbersOf(schema.valueType, [...at, '*']);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((each) => numbersOf(each, at));
  return schema instanceof z.ZodNumber ? [at.join('.')] : [];
}

const IN_RESULTS = new Set([...numbersOf(resultSchema), ...numbersOf(SUMMARY_SCHEMA)]);

/** Paths of all numbers of a value that no figure describes. */
function unknownIn(value: unknown, at: readonly string[] = []): string[] {
  if (typeof value === 'number')
    return findFigure(at.join('.')) === undefined ? [at.join('.')] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => unknownIn(part, [...at, key]));
}

const MANY = parseScenario(
  [
    'name: many',
    'title: many short flows',
    'topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }',
    'workloads:',
    '  - { kind: poisson, name: w, load: 0.4, durationUs: 60, distribution: [[500, 40], [3000, 100]] }',
  ].join('\n'),
  'many.yaml',
);

describe('the dictionary of figures', () => {
  test('has every number of results and of summaries, and no other', () => {
    expect([...IN_RESULTS].filter((path) => findFigure(path) === undefined)).toEqual([]);
    const own = FIGURES.map(([path]) => path).filter(
      (path) => !/^(compare|judge|live|mininet|capture|int|packet|sent|intervals)\./.test(path),
    );
    expect(own.filter((path) => !IN_RESULTS.has(path))).toEqual([]);
  });

  test('gives every figure a name, a unit, digits and a meaning', () => {
    const bare = FIGURES.filter(
      ([, { name, unit, digits, meaning }]) =>
        name === '' || unit === '' || digits < 2 || !/^[A-Z].*\.$/.test(meaning),
    );
    expect(bare.map(([path]) => path)).toEqual([]);
  });

  test('gives no two figures one name', () => {
    const names = FIGURES.map(([, { name }]) => name);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  test('has the quantity that the key of a figure names', () => {
    const quantityOf = (path: string): string | undefined => {
      const key =
        path.split('.').findLast((part) => !/^(\*|p\d+|min|median|max)$/.test(part)) ?? '';
      if (/^(mininet|capture)\./.test(path)) return undefined;
      if (/seconds$/i.test(key)) return 'time';
      if (/Us$/.test(key)) return 'time';
      if (/bytes(Max)?$/i.test(key)) return 'data';
      return /(Gbps|bitsPerSecond)$/.test(key) ? 'rate' : undefined;
    };
    const wrong = FIGURES.filter(([path, { quantity }]) => {
      const wanted = quantityOf(path);
      const isTold = wanted !== undefined || ['time', 'data', 'rate'].includes(quantity);
      return isTold && quantity !== wanted;
    });
    expect(wrong.map(([path]) => path)).toEqual([]);
  });

  test('has a noun for each place of a path that stands for many', () => {
    const wrong = FIGURES.filter(
      ([path, { each = [] }]) =>
        path.split('.').filter((part) => part === '*').length !== each.length,
    );
    expect(wrong.map(([path]) => path)).toEqual([]);
  });

  test.each([
    ['fctUs.median', 'median FCT'],
    ['links.3.packets', 'packets on a link, link 3'],
    ['counters.drops.s1: queue.full', 'drops of a switch, s1: queue.full'],
    ['timelines.links.2.sentBytes.7', 'bytes sent in an interval, link 2, interval 7'],
    ['slowdowns.*.p99', 'p99 slowdown of a bin'],
  ])('names %s %s', (path, name) => {
    expect(figureName(path)).toBe(name);
  });

  test('refuses a path that it does not have', () => {
    expect(findFigure('fctUs.mean')).toBeUndefined();
    expect(() => figureAt('links.0.colour')).toThrow("no figure 'links.0.colour'");
  });
});

describe('all that runs show', () => {
  async function resultOf(options: Pick<RunOptions, 'scenario' | 'streamedFrom'>): Promise<Result> {
    return (await runScenario({ ...options, seed: 1, checkInvariants: false })).result;
  }

  /** Parts of the document beside hosts and flows, from which results get other figures. */
  const kindOf = (name: string): string =>
    Object.entries(loadScenario(name))
      .filter(([, value]) => typeof value === 'object' && Object.keys(value).length > 0)
      .map(([key]) => key)
      .join();
  const isCoordinated = (name: string): boolean => name.startsWith('ccm-');
  const coordinated = scenarioNames().filter(isCoordinated);
  const others = scenarioNames().filter((name) => !isCoordinated(name));
  const names = [
    ...sampled('scenarios without coordination', others, 4, kindOf),
    ...sampled('scenarios with coordination', coordinated, 6),
  ];
  test.each(names)('is in the dictionary: %s', async (name) => {
    const result = await resultOf({
      scenario: withParameters(loadScenario(name), { untilUs: 40 }),
    });
    expect(unknownIn(result)).toEqual([]);
    expect(unknownIn(summaryOf(result, { found: 1 }))).toEqual([]);
    const { charts } = runPage(result);
    expect(charts.filter(({ y }) => findFigure(y.figure ?? '') === undefined)).toEqual([]);
  });

  test('is in the dictionary: sums of many flows', async () => {
    const result = await resultOf({ scenario: MANY, streamedFrom: 10 });
    expect(result.flowTotals).toBeDefined();
    expect(unknownIn(result)).toEqual([]);
  });
});
