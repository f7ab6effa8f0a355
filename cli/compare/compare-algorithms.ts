import { InputError } from '../../common/errors';
import { loadAlgorithm } from '../../host-agent/io/options/load-algorithm';
import { algorithmNamed } from '../../host-agent/algorithm/library/algorithms';
import { ABOUT_HOPS } from '../../host-agent/settings/refusal';
import { isActive, SETTINGS } from '../../host-agent/settings/settings';
import { alignedTable, note, print } from '../../common/io/terminal';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import { writeComparison } from '../../emulator/io/results/write-result';
import { algorithmRow } from '../../emulator/result/algorithm-comparison';
import type { AlgorithmRow } from '../../emulator/result/algorithm-comparison';
import type { Result } from '../../emulator/result/result';
import { algorithmPage, figureRows, slowdownRows } from '../../emulator/view/data/algorithm-page';
import { comparisonWarnings } from '../../emulator/view/data/warnings';
import type { ComparedAlgorithm } from '../../emulator/view/data/algorithm-page';
import { typedCommand } from '../shared/typed-command';
import { runWithProgress } from '../shared/run-with-progress';

/** Flags of `hpcc compare --algorithms`. */
export interface AlgorithmFlags {
  readonly algorithms: readonly string[];
  /** Puts the scenario under each of them, with the tuning of the command line; once all are loaded. */
  readonly underEach: (algorithms: readonly string[]) => (algorithm: string) => ScenarioDocument;
  /** Seed of the first run; each further run has the next one. */
  readonly seed: number;
  readonly seeds: number;
  readonly check: boolean;
  /** True if algorithms of files have all rights of the process. */
  readonly trust: boolean;
  readonly out?: string | undefined;
  readonly json: boolean;
}

/** Runs a workload under each algorithm with the same seeds. @returns the figures in their order. */
export async function compareAlgorithms(
  file: string,
  base: ScenarioDocument,
  flags: AlgorithmFlags,
): Promise<readonly AlgorithmRow[]> {
  const { algorithms, seeds, out } = flags;
  const twice = algorithms.find((name, i) => algorithms.indexOf(name) !== i);
  if (twice !== undefined) throw new InputError(`--algorithms names '${twice}' twice`);
  // Every name and file is checked before the first run.
  for (const algorithm of algorithms) await loadAlgorithm(algorithm, { trust: flags.trust });
  const under = flags.underEach(algorithms);
  const scenarios = algorithms.map((name) => scenarioUnder(base, name, under(name)));
  const compared: ComparedAlgorithm[] = [];
  for (const [i, scenario] of scenarios.entries()) {
    const results: Result[] = [];
    for (let seed = flags.seed; seed < flags.seed + seeds; seed++) {
      const { result } = await runWithProgress(scenario, { seed, check: flags.check });
      results.push(result);
    }
    const [first] = results;
    if (first === undefined) continue;
    compared.push({ first, row: algorithmRow(algorithms[i] ?? '', results) });
  }
  const rows = compared.map(({ row }) => row);
  const report = out === undefined ? undefined : write(base.title, compared, out);
  if (flags.json) print(JSON.stringify({ scenario: file, seed: flags.seed, seeds, rows }));
  else print(text(rows, report));
  for (const warning of comparisonWarnings(rows)) note(`hpcc: ${warning}`);
  return rows;
}

/** The scenario under another algorithm; what its document says of records of hops is for those that take them. */
function scenarioUnder(
  base: ScenarioDocument,
  algorithm: string,
  scenario: ScenarioDocument,
): ScenarioDocument {
  if (algorithmNamed(algorithm).signals.telemetry === 'hops') return scenario;
  const idle = ABOUT_HOPS.filter((name) => isActive(name, base.parameters));
  if (idle.length > 0)
    note(`hpcc: ${algorithm} takes no records of hops: without ${idle.join(', ')}`);
  const others = Object.entries(scenario.parameters).filter(
    ([name]) => !ABOUT_HOPS.some((each) => each === name),
  );
  const defaults = ABOUT_HOPS.map((name) => [name, SETTINGS[name].default] as const);
  const parameters = Object.fromEntries<unknown>([
    ...others,
    ...defaults.filter(([, value]) => value !== undefined),
  ]);
  return { ...scenario, parameters: parameters as ScenarioDocument['parameters'] };
}

function write(title: string, compared: readonly ComparedAlgorithm[], out: string): string {
  const rows = compared.map(({ row }) => row);
  return writeComparison(rows, algorithmPage(compared, { title, command: typedCommand() }), out);
}

function text(rows: readonly AlgorithmRow[], report: string | undefined): string {
  const tables = [alignedTable(figureRows(rows)), alignedTable(slowdownRows(rows))];
  return [...tables, ...(report === undefined ? [] : [`report: ${report}`])].join('\n\n');
}
