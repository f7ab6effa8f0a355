import { NO_VALUE } from '../../figures/figure-text';
import type { Result } from '../../result/result';
import { factsOf } from './run-page';
import type { PageSection } from './page-data';

interface NamedResult {
  readonly name: string;
  readonly result: Result;
}

/** Figures of two runs side by side, and the differences of their settings. */
export function comparisonOf(one: NamedResult, other: NamedResult): PageSection[] {
  const [left, right] = [one, other].map(
    ({ result }) => new Map(factsOf(result).map(([value, label]) => [label, value])),
  );
  const heads = ['', one.name, other.name];
  const labels = new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])]);
  const figures = [...labels].map((label) => [
    label,
    left?.get(label) ?? NO_VALUE,
    right?.get(label) ?? NO_VALUE,
  ]);
  const asked = differences(settingsOf(one.result), settingsOf(other.result));
  return [
    { title: 'Two runs side by side', subject: 'Two runs', rows: [heads, ...figures] },
    {
      subject: 'Two runs',
      ...(asked.length === 0
        ? { title: 'Settings', text: ['Both runs have the same settings.'] }
        : { title: 'Settings that differ', rows: [heads, ...asked] }),
    },
  ];
}

type Settings = Readonly<Record<string, string | number | null>>;

const settingsOf = ({ parameters, seed, generator, scenario }: Result): Settings => ({
  scenario: scenario.name,
  seed,
  commit: generator.commit,
  program: generator.p4Program,
  ...parameters,
});

function differences(one: Settings, other: Settings): string[][] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names]
    .filter((name) => one[name] !== other[name])
    .map((name) => [name, ...[one, other].map((each) => String(each[name] ?? '-'))]);
}
