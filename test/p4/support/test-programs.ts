import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { compileSource, P4C_FLAGS, p4cVersion } from '../../../common/io/p4-compiler';
import { ROOT } from '../../support/paths';

const FOLDER = path.join(ROOT, 'test', 'p4');
const PROGRAMS = path.join(FOLDER, 'programs');
const ARTIFACTS = path.join(FOLDER, 'artifacts');
const TESTS = path.join(FOLDER, 'stf');
const MANIFEST = path.join(ARTIFACTS, 'manifest.json');

/** Which sources the committed artefacts were made from, and by what. */
export interface Manifest {
  readonly p4c: string;
  readonly flags: readonly string[];
  /** SHA-256 of each program with the files that all include. */
  readonly sourcesSha256: Readonly<Record<string, string>>;
}

const filesIn = (folder: string, suffix: string): string[] =>
  fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length))
    .sort();

/** Names of the programs, in order. */
export const testPrograms = (): string[] => filesIn(PROGRAMS, '.p4');

/** Names of the STF tests of a program: `<program>.stf`, or `<program>-<what>.stf`. */
export const testsOf = (program: string): string[] =>
  filesIn(TESTS, '.stf').filter((name) => name.split('-')[0] === program);

/** Names of all STF tests, in order. */
export const allTests = (): string[] => filesIn(TESTS, '.stf');

export const programOf = (test: string): string => test.split('-')[0] ?? test;

export const testPath = (name: string): string => path.join(TESTS, `${name}.stf`);

export const programJson = (program: string): string =>
  fs.readFileSync(path.join(ARTIFACTS, `${program}.json`), 'utf8');

export const programJsonPath = (program: string): string => path.join(ARTIFACTS, `${program}.json`);

export const committedArtifact = (file: string): string =>
  fs.readFileSync(path.join(ARTIFACTS, file), 'utf8');

export const readManifest = (): Manifest =>
  JSON.parse(fs.readFileSync(MANIFEST, 'utf8')) as Manifest;

/** p4c's JSON in one line without places in the source, which no test reads and are half of the text. */
export const withoutPlaces = (json: string): string =>
  `${JSON.stringify(JSON.parse(json), (key, value: unknown) => (key === 'source_info' ? undefined : value))}\n`;

/** SHA-256 over a program and the files that programs include. */
export function sourceDigest(program: string): string {
  const hash = crypto.createHash('sha256');
  const shared = filesIn(path.join(PROGRAMS, 'include'), '.p4').map((name) => `include/${name}.p4`);
  for (const name of [`${program}.p4`, ...shared]) {
    hash.update(`${name}\0`);
    hash.update(fs.readFileSync(path.join(PROGRAMS, name)));
    hash.update('\0');
  }
  return hash.digest('hex');
}

/**
 * Compiles a program with p4c on PATH.
 * @returns its artefacts by file name.
 * @throws InputError with p4c's messages when it refuses the program.
 */
export async function compileTestProgram(program: string): Promise<ReadonlyMap<string, string>> {
  const { json, p4info } = await compileSource({
    folder: PROGRAMS,
    program: `${program}.p4`,
    flags: [],
    p4info: 'txtpb',
  });
  return new Map([
    [`${program}.json`, withoutPlaces(json)],
    [`${program}.p4info.txtpb`, p4info],
  ]);
}

/** Compiles all programs and writes the artefacts that belong into the repository. */
export async function buildTestPrograms(): Promise<void> {
  const p4c = p4cVersion();
  if (p4c === undefined) throw new Error('needs p4c >= 1.2.5 on PATH');
  const programs = testPrograms();
  const files: [string, string][] = [];
  for (const program of programs) files.push(...(await compileTestProgram(program)));
  fs.rmSync(ARTIFACTS, { recursive: true, force: true });
  fs.mkdirSync(ARTIFACTS);
  for (const [name, text] of files) fs.writeFileSync(path.join(ARTIFACTS, name), text);
  const sourcesSha256 = Object.fromEntries(programs.map((name) => [name, sourceDigest(name)]));
  const manifest: Manifest = { p4c, flags: [...P4C_FLAGS], sourcesSha256 };
  fs.writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
}
