import * as path from 'node:path';
import { InputError } from '../../common/errors';
import { loadAlgorithm } from '../../host-agent/io/options/load-algorithm';
import { alignedTable, print } from '../../common/io/terminal';
import { loadScenario, withParameters } from '../../emulator/io/scenario-files';
import { writeComparison } from '../../emulator/io/write-result';
import { algorithmRow } from '../../emulator/result/algorithm-comparison';
import type { AlgorithmRow } from '../../emulator/result/algorithm-comparison';
import type { Result } from '../../emulator/result/result';
import { algorithmPage, figureRows, slowdownRows } from '../../emulator/view/data/algorithm-page';
import type { ComparedAlgorithm } from '../../emulator/view/data/algorithm-page';
import { runWithProgress } from './run';

/** What `hpcc compare --algorithms` is given. */
export interface AlgorithmFlags {
  readonly algorithms: readonly string[];
  /** Of the first run; each further run has the next one. */
  readonly seed: number;
  readonly seeds: number;
  readonly check: boolean;
  readonly out?: string | undefined;
  readonly json: boolean;
}

/** Runs a workload under each algorithm with the same seeds. @returns the figures in their order. */
export async function compareAlgorithms(
  file: string,
  flags: AlgorithmFlags,
): Promise<readonly AlgorithmRow[]> {
  const { algorithms, seeds, out } = flags;
  if (seeds < 1) throw new InputError(`--seeds takes a number from 1, and ${seeds} was given`);
  const twice = algorithms.find((name, i) => algorithms.indexOf(name) !== i);
  if (twice !== undefined) throw new InputError(`--algorithms names '${twice}' twice`);
  const base = loadScenario(file);
  // Every name and file is checked before the first run.
  for (const algorithm of algorithms) await loadAlgorithm(algorithm);
  const scenarios = algorithms.map((algorithm) => withParameters(base, { algorithm }));
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
  const report = out === undefined ? undefined : write(base.title, compared, { file, flags, out });
  if (flags.json) print(JSON.stringify({ scenario: file, seed: flags.seed, seeds, rows }));
  else print(text(rows, report));
  return rows;
}

interface Target {
  readonly file: string;
  readonly flags: AlgorithmFlags;
  readonly out: string;
}

function write(
  title: string,
  compared: readonly ComparedAlgorithm[],
  { file, flags, out }: Target,
): string {
  const { algorithms, seed, seeds } = flags;
  const options = `--algorithms ${algorithms.join(',')} --seed ${seed} --seeds ${seeds}`;
  const command = `hpcc compare ${file} ${options} --out ${path.basename(out)}`;
  const rows = compared.map(({ row }) => row);
  return writeComparison(rows, algorithmPage(compared, { title, command }), out);
}

function text(rows: readonly AlgorithmRow[], report: string | undefined): string {
  const tables = [alignedTable(figureRows(rows)), alignedTable(slowdownRows(rows))];
  return [...tables, ...(report === undefined ? [] : [`report: ${report}`])].join('\n\n');
}
