import type { Command } from 'commander';
import { comparisonRow } from '../../emulator/result/comparison';
import type { ComparisonRow } from '../../emulator/result/comparison';
import type { CoordinationMode } from '../../emulator/scenario/variants';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import {
  loadScenario,
  scenarioVariant,
  variantNames,
} from '../../emulator/io/inputs/scenario-files';
import { InputError } from '../../common/errors';
import { note, print } from '../../common/io/terminal';
import { resultWarnings } from '../../emulator/view/data/warnings';
import { comparisonTable } from '../shared/comparison-table';
import { underEach, withGivenSettings } from '../shared/scenario-settings';
import { checkTrust } from '../shared/trust-option';
import type { TrustFlags } from '../shared/trust-option';
import { compareAlgorithms } from './compare-algorithms';
import type { AlgorithmFlags } from './compare-algorithms';
import { compareCoordination } from './compare-coordination';
import { runWithProgress } from '../shared/run-with-progress';

/** Options of `hpcc compare`. */
export interface CompareFlags extends TrustFlags {
  readonly variants?: string;
  readonly seed: number;
  readonly check: boolean;
  readonly json?: true;
  readonly algorithms?: string;
  readonly seeds?: number;
  readonly out?: string;
  readonly coordination?: true;
  readonly variant?: string;
  readonly mode?: CoordinationMode;
}

/** Runs what the command line of `hpcc compare` names, and prints the table. */
export async function compareChosen(
  name: string,
  flags: CompareFlags,
  command: Command,
): Promise<void> {
  refuseMixtures(command, flags);
  const scenario = withGivenSettings(loadScenario(name), command);
  checkTrust(flags, comparedAlgorithms(scenario, flags));
  const each = (names: readonly string[]) => underEach(scenario, command, names);
  failOnViolations(await comparisonOf(name, scenario, { ...flags, underEach: each }));
}

type Violations = readonly { readonly variant: string; readonly violations: number }[];

function comparedAlgorithms(scenario: ScenarioDocument, flags: CompareFlags): readonly string[] {
  if (flags.algorithms !== undefined) return flags.algorithms.split(',');
  const compared =
    flags.coordination === true
      ? [scenario]
      : comparedVariants(scenario, flags).map(([, variant]) => variant);
  return compared.map(({ parameters }) => parameters.algorithm);
}

/** Variants that are compared. @throws InputError for a name that the scenario does not have. */
function comparedVariants(
  scenario: ScenarioDocument,
  { variants }: CompareFlags,
): (readonly [name: string, variant: ScenarioDocument])[] {
  const names = variants?.split(',') ?? variantNames(scenario);
  return names.map((name) => [name, scenarioVariant(scenario, name)] as const);
}

async function comparisonOf(
  name: string,
  scenario: ScenarioDocument,
  flags: CompareFlags & Pick<AlgorithmFlags, 'underEach'>,
): Promise<Violations> {
  const { algorithms, coordination, seed, seeds = 1, check, out, json } = flags;
  if (coordination === true) return compareCoordination(scenario, flags);
  if (algorithms !== undefined) {
    const names = algorithms.split(',');
    const { underEach: each } = flags;
    const given = {
      algorithms: names,
      underEach: each,
      seed,
      seeds,
      check,
      trust: flags.trust === true,
      out,
      json: json === true,
    };
    const rows = await compareAlgorithms(name, scenario, given);
    return rows.map(({ algorithm, violations }) => ({ variant: algorithm, violations }));
  }
  const rows = await compareVariants(scenario, flags);
  print(json === true ? JSON.stringify({ scenario: name, seed, rows }) : comparisonTable(rows));
  return rows;
}

/** @throws InputError for options of different comparisons. */
function refuseMixtures(command: Command, flags: CompareFlags): void {
  const { variants, algorithms, coordination, seeds, out, mode, variant } = flags;
  const forms = [variants, algorithms, coordination].filter((form) => form !== undefined);
  if (forms.length > 1) {
    throw new InputError('give one of --variants, --algorithms and --coordination');
  }
  const isGiven = (value: unknown): boolean => value !== undefined;
  if (coordination === undefined && [mode, variant].some(isGiven)) {
    throw new InputError('--mode and --variant need --coordination');
  }
  if (coordination === undefined && algorithms === undefined && [seeds, out].some(isGiven)) {
    throw new InputError('--seeds and --out need --algorithms or --coordination');
  }
  if (algorithms !== undefined && command.getOptionValueSource('algorithm') === 'cli') {
    throw new InputError('--algorithms says which ones run: leave out --algorithm');
  }
}

async function compareVariants(
  scenario: ScenarioDocument,
  flags: CompareFlags,
): Promise<ComparisonRow[]> {
  const { seed, check, trust } = flags;
  const rows: ComparisonRow[] = [];
  const warnings = new Set<string>();
  for (const [name, variant] of comparedVariants(scenario, flags)) {
    const { result } = await runWithProgress(variant, { seed, check, trust });
    rows.push(comparisonRow(name, result));
    for (const warning of resultWarnings(result)) warnings.add(warning);
  }
  for (const warning of warnings) note(`hpcc: ${warning}`);
  return rows;
}

function failOnViolations(rows: Violations): void {
  const broken = rows.filter(({ violations }) => violations > 0).map(({ variant }) => variant);
  if (broken.length === 0) return;
  note(`hpcc: broken invariants or unfinished flows in ${broken.join(', ')}; hpcc run names them`);
  process.exitCode = 1;
}
