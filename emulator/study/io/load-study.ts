import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { readTextFile } from '../../../common/io/bounded-file';
import { schemaFaults, sentenceOf } from '../../../common/document/schema-faults';
import { InputError, withPlace } from '../../../common/errors';
import type { LocatedDocument } from '../../../common/document/located-document';
import { isCustomAlgorithm } from '../../../host-agent/algorithm/library/algorithms';
import { scenarioSchema } from '../../scenario/schema';
import type { ScenarioDocument } from '../../scenario/schema';
import { withWorkloadFiles } from '../../io/inputs/workload-files';
import { loadScenario, scenarioVariant } from '../../io/inputs/scenario-files';
import { scenarioNames } from '../../io/inputs/catalogue';
import { expandTopology } from '../../scenario/expand-topology';
import { profileOf } from '../../network/switch-hardware';
import { canonicalText } from '../cell';
import type { Cell, CellFiles, CellInput } from '../cell';
import { gridPointAt, gridPoints, gridSize, pointsOf, seedsOf, withValue } from '../grid';
import type { GridPoint } from '../grid';
import { parseStudy } from '../study-document';
import type { StudyDocument } from '../study-document';
import { buildVersion } from './build-version';
import { fileDigest, programDigest } from './file-digest';

/** A study that has been read, and every value of its axes tried on its scenario. */
export interface LoadedStudy {
  readonly file: string;
  readonly document: StudyDocument;
  /** Number of cells. */
  readonly size: number;
  /** Path of the file that judges its runs. */
  readonly judge: string | undefined;
  /** The cells, in an order that is always the same. */
  readonly cells: () => Generator<Cell>;
  /** The cell at a place of that order, from 0; undefined beyond the last. */
  readonly cellAt: (index: number) => Cell | undefined;
}

/**
 * @param cellsMax more cells are refused before any is looked at: trying a million values takes long.
 * @throws InputError with file and line of what is wrong, or for a grid that is too large.
 */
export function loadStudy(file: string, cellsMax = Infinity): LoadedStudy {
  const located = parseStudy(readText(file), file);
  const { value: document } = located;
  const size = gridSize(document);
  if (size > cellsMax)
    throw new InputError(
      `${file} has ${size} cells, more than ${cellsMax}: --yes if that is meant`,
    );
  const base = baseOf(file, located);
  checkAxes(base, located);
  const digests = new Map<string, string>();
  const judge =
    document.judge === undefined ? undefined : path.resolve(path.dirname(file), document.judge);
  const judgedBy = judge === undefined ? undefined : fileDigest(judge, 'judge');
  const scenarioAt = (point: GridPoint): ScenarioDocument => changed(base, point, file);
  const seeds = seedsOf(document);
  const cellFor = (point: GridPoint, scenario: ScenarioDocument, seed: number): Cell =>
    cellOf({ point, scenario, seed, judgedBy }, document, digests);
  return {
    file,
    document,
    size,
    judge,
    cells: function* () {
      for (const point of gridPoints(document)) {
        const scenario = scenarioAt(point);
        for (const seed of seeds) yield cellFor(point, scenario, seed);
      }
    },
    cellAt: (index) => {
      const point = gridPointAt(document, Math.floor(index / seeds.length));
      const seed = seeds[index % seeds.length];
      return point && seed !== undefined ? cellFor(point, scenarioAt(point), seed) : undefined;
    },
  };
}

/** The judge and the algorithms that cells of a study use. @param trust true: with all rights. */
export function codeOf(study: LoadedStudy, cells: Iterable<Cell>, trust = false): CellFiles {
  const code = codeFiles(study, cells);
  return { code, trusted: trust ? Object.keys(code) : [] };
}

/** Their paths, by their digests. */
function codeFiles({ judge }: LoadedStudy, cells: Iterable<Cell>): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { input } of cells) {
    const { code, scenario } = input;
    if (code?.judge !== undefined && judge !== undefined) files[code.judge] = judge;
    if (code?.algorithm !== undefined)
      files[code.algorithm] = path.resolve(scenario.parameters.algorithm);
  }
  return files;
}

/** Default folder of a study's files. */
export const studyFolderOf = ({ document }: LoadedStudy): string =>
  path.join('out', `study-${document.name}`);

/** The scenario that axes change, and where the files lie that they name. */
interface Base {
  readonly value: unknown;
  readonly folder: string;
}

function baseOf(file: string, { value, where }: LocatedDocument<StudyDocument>): Base {
  const folder = path.dirname(file);
  const { base, scenario, name, title } = value;
  if (base !== undefined) {
    const beside = path.resolve(folder, base);
    const isName = scenarioNames().includes(base);
    if (isName || fs.existsSync(beside))
      return { value: loadScenario(isName ? base : beside), folder };
    throw new InputError(
      `${where(['base'])}: no scenario '${base}': neither a file nor one of ${scenarioNames().join(', ')}`,
    );
  }
  const result = scenarioSchema.safeParse({ name, title: title ?? name, ...scenario });
  if (result.success) return { value: result.data, folder };
  const faults = result.error.issues.map(
    (issue) => `${where(['scenario', ...issue.path])}: ${sentenceOf(issue)}`,
  );
  throw new InputError(faults.join('\n'));
}

/** Every value alone, so that a wrong one is named with its line before anything runs. */
function checkAxes(base: Base, { value, where }: LocatedDocument<StudyDocument>): void {
  for (const [i, entry] of value.axes.entries()) {
    const place = where(['axes', i]);
    for (const point of pointsIn(entry, place)) changed(base, point, place);
  }
}

function pointsIn(entry: StudyDocument['axes'][number], place: string): GridPoint[] {
  return withPlace(place, () => pointsOf(entry));
}

/** An axis of the names of variants of the scenario, where other axes have paths in it. */
const VARIANT = 'variant';

function inVariant(base: unknown, point: GridPoint): unknown {
  const chosen = point.find(({ path: at }) => at === VARIANT);
  return chosen === undefined
    ? base
    : scenarioVariant(base as ScenarioDocument, String(chosen.value));
}

/** @param place what messages begin with: the study, or a line of it. */
function changed({ value: base, folder }: Base, point: GridPoint, place: string): ScenarioDocument {
  const text = point.map(({ path: at, label }) => `${at} = ${label}`).join(', ');
  const where = text === '' ? place : `${place}: ${text}`;
  return withPlace(where, () => {
    const document = point
      .filter(({ path: at }) => at !== VARIANT)
      .reduce((all, { path: at, value }) => withValue(all, at, value), inVariant(base, point));
    const result = scenarioSchema.safeParse(document);
    if (result.success) return withWorkloadFiles(result.data, folder);
    throw new InputError(schemaFaults(result.error).join('; '));
  });
}

interface Place {
  readonly point: GridPoint;
  readonly scenario: ScenarioDocument;
  readonly seed: number;
  readonly judgedBy: string | undefined;
}

function cellOf(
  { point, scenario, seed, judgedBy }: Place,
  { checkInvariants }: StudyDocument,
  digests: Map<string, string>,
): Cell {
  const p4 = programDigests(scenario, digests);
  const code = digestsOf(scenario, judgedBy);
  const version = buildVersion();
  const input: CellInput = { scenario, seed, checkInvariants, p4, version, ...(code && { code }) };
  return { id: cellId(input), input, point };
}

/** Undefined where all code is the project's. */
function digestsOf({ parameters }: ScenarioDocument, judge: string | undefined): CellInput['code'] {
  const algorithm = algorithmDigest(parameters.algorithm);
  return algorithm === undefined && judge === undefined ? undefined : { algorithm, judge };
}

/** Digest of an algorithm in a user's file; undefined for the built-in algorithms. */
const algorithmDigest = (name: string): string | undefined =>
  isCustomAlgorithm(name) ? fileDigest(path.resolve(name), 'algorithm') : undefined;

export const cellId = (input: CellInput): string =>
  crypto.createHash('sha256').update(canonicalText(input)).digest('hex');

/** Digests of what the switches of a scenario run. */
function programDigests(
  scenario: ScenarioDocument,
  known: Map<string, string>,
): Record<string, string> {
  const names = new Set(
    expandTopology(scenario.topology).switches.map((name) => profileOf(scenario, name)),
  );
  return Object.fromEntries(
    [...names].sort().map((name): [string, string] => {
      const digest = known.get(name) ?? programDigest(name);
      known.set(name, digest);
      return [name, digest];
    }),
  );
}

function readText(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    throw new InputError(`cannot read ${file}: ${(error as Error).message}`);
  }
}
