import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../../common/errors';
import { repositoryRoot } from '../../common/io/repository';
import { THRIFT_FOLDER } from '../../common/thrift/io/generated-code';

const COMPILER = 'thrift';

/** The minor version whose output is committed; others write the same in other words. */
export const THRIFT_VERSION = '0.17';

/** Version of the Thrift compiler on PATH, or undefined when there is none. */
export function thriftVersion(): string | undefined {
  const run = spawnSync(COMPILER, ['--version'], { encoding: 'utf8' });
  if (run.error !== undefined || run.status !== 0) return undefined;
  return /\d+\.\d+\.\d+/.exec(run.stdout)?.[0];
}

/**
 * Compiles our interface files into JavaScript with type declarations.
 * @throws InputError when the compiler is missing or refuses a file.
 */
export function generateThrift(outDir: string): void {
  const idl = path.join(repositoryRoot(), THRIFT_FOLDER, 'idl');
  fs.mkdirSync(outDir, { recursive: true });
  for (const name of fs.readdirSync(idl).sort()) {
    const args = ['--strict', '--gen', 'js:node,es6,ts', '--out', outDir, path.join(idl, name)];
    const run = spawnSync(COMPILER, args, { encoding: 'utf8' });
    if (run.error !== undefined) throw new InputError(`needs the Thrift compiler (${COMPILER})`);
    if (run.status !== 0) throw new InputError(`${COMPILER} refuses ${name}:\n${run.stderr}`);
  }
}
