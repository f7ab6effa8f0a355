import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { loadP4Artifacts, sourcesDigest } from '../../../common/io/p4-profiles';
import type { P4Profile } from '../../../common/io/p4-profiles';
import { compileSource, P4C_FLAGS, p4cVersion } from '../../../common/io/p4-compiler';
import { ROOT } from '../../support/paths';
import { withoutPlaces } from './test-programs';
import type { Manifest } from './test-programs';

/** Where the models lie, with the blocks of p4src that Tofino runs around them. */
export const MODEL_FOLDER = path.join(ROOT, 'test', 'p4', 'tofino-models');
const ARTIFACTS = path.join(MODEL_FOLDER, 'artifacts');
const MANIFEST = path.join(ARTIFACTS, 'manifest.json');
/** BMv2 JSON lies packed there: it is fifteen times as long as what it says. */
const PACKED = '.gz';

/**
 * A model of a program for Tofino: a v1model program made of the blocks that Tofino runs, which counts
 * in 32 bits as they do. It passes the packet tests of a profile, up to how that counts bytes sent.
 */
export interface TofinoModel extends P4Profile {
  readonly modelOf: string;
}

export const TOFINO_MODELS: readonly TofinoModel[] = [
  'hpcc',
  'hpcc-edge',
  'hpcc-feedback',
  'hpcc-trim',
  'padding',
].map((modelOf) => ({
  name: `${modelOf}-model`,
  program: `${modelOf}/${modelOf}-model.p4`,
  flags: [],
  modelOf,
}));

const isModel = (name: string): boolean => TOFINO_MODELS.some((model) => model.name === name);

let unpacked: string | undefined;

/** Returns the path of a model's BMv2 JSON, unpacked into a temporary folder until this process ends. */
export function modelJsonPath(name: string): string {
  if (unpacked === undefined) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-models-'));
    process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
    unpacked = folder;
  }
  const at = path.join(unpacked, `${name}.json`);
  if (!fs.existsSync(at)) fs.writeFileSync(at, committedModel(`${name}.json`));
  return at;
}

/** The P4Info of a model, in protobuf's JSON form. */
export const modelP4InfoPath = (name: string): string =>
  path.join(ARTIFACTS, `${name}.p4info.json`);

/** The compiled form of a profile or of a model. */
export function programNamed(name: string): {
  readonly name: string;
  readonly deviceConfig: string;
  readonly p4info: string;
} {
  if (!isModel(name)) return loadP4Artifacts(name);
  const deviceConfig = committedModel(`${name}.json`);
  return { name, deviceConfig, p4info: fs.readFileSync(modelP4InfoPath(name), 'utf8') };
}

export const readModelManifest = (): Manifest =>
  JSON.parse(fs.readFileSync(MANIFEST, 'utf8')) as Manifest;

export const modelDigest = (model: TofinoModel): string => sourcesDigest(model, MODEL_FOLDER);

const isPacked = (file: string): boolean => !file.endsWith('.p4info.json');

/** Returns the committed text of a model, by file name. */
export function committedModel(file: string): string {
  const at = path.join(ARTIFACTS, file);
  return isPacked(file)
    ? gunzipSync(fs.readFileSync(at + PACKED)).toString()
    : fs.readFileSync(at, 'utf8');
}

/**
 * Compiles a model with p4c on PATH.
 * @returns its artefacts by file name.
 * @throws InputError with p4c's messages when it refuses the program.
 */
export async function compileModel(model: TofinoModel): Promise<ReadonlyMap<string, string>> {
  const { name, program, flags } = model;
  const { json, p4info } = await compileSource({
    folder: MODEL_FOLDER,
    program,
    flags,
    p4info: 'json',
  });
  return new Map([
    [`${name}.json`, withoutPlaces(json)],
    [`${name}.p4info.json`, p4info],
  ]);
}

/** Compiles all models and writes the artefacts that belong into the repository. */
export async function buildModels(): Promise<void> {
  const p4c = p4cVersion();
  if (p4c === undefined) throw new Error('needs p4c >= 1.2.5 on PATH');
  const files: [string, string][] = [];
  for (const model of TOFINO_MODELS) files.push(...(await compileModel(model)));
  fs.rmSync(ARTIFACTS, { recursive: true, force: true });
  fs.mkdirSync(ARTIFACTS);
  for (const [name, text] of files) {
    const at = path.join(ARTIFACTS, name);
    if (isPacked(name)) fs.writeFileSync(at + PACKED, gzipSync(text, { level: 9 }));
    else fs.writeFileSync(at, text);
  }
  const digests = TOFINO_MODELS.map((model) => [model.name, modelDigest(model)] as const);
  const manifest: Manifest = {
    p4c,
    flags: [...P4C_FLAGS],
    sourcesSha256: Object.fromEntries(digests),
  };
  fs.writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
}
