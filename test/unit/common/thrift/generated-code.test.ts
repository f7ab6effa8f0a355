import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { InputError } from '../../../../common/errors';
import { repositoryRoot } from '../../../../common/io/repository';
import { describeIf } from '../../../support/requires';

/** Place of the sources of Thrift and of what its compiler makes of them. */
const FOLDER = 'common/thrift';

const COMPILER = 'thrift';

/** The minor version whose output is committed; others write the same in other words. */
const THRIFT_VERSION = '0.17';

/** Version of the Thrift compiler on PATH, or undefined when there is none. */
function thriftVersion(): string | undefined {
  const run = spawnSync(COMPILER, ['--version'], { encoding: 'utf8' });
  if (run.error !== undefined || run.status !== 0) return undefined;
  return /\d+\.\d+\.\d+/.exec(run.stdout)?.[0];
}

/**
 * Compiles our interface files into JavaScript with type declarations.
 * @throws InputError when the compiler is missing or refuses a file.
 */
function generateThrift(outDir: string): void {
  const idl = path.join(repositoryRoot(), FOLDER, 'idl');
  fs.mkdirSync(outDir, { recursive: true });
  for (const name of fs.readdirSync(idl).sort()) {
    const args = ['--strict', '--gen', 'js:node,es6,ts', '--out', outDir, path.join(idl, name)];
    const run = spawnSync(COMPILER, args, { encoding: 'utf8' });
    if (run.error !== undefined) throw new InputError(`needs the Thrift compiler (${COMPILER})`);
    if (run.status !== 0) throw new InputError(`${COMPILER} refuses ${name}:\n${run.stderr}`);
  }
}

const found = thriftVersion();

const readAll = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(folder)
      .sort()
      .map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]),
  );

describeIf(
  found?.startsWith(`${THRIFT_VERSION}.`) === true,
  'the committed Thrift code',
  `needs the Thrift compiler ${THRIFT_VERSION} on PATH, found ${found ?? 'none'}`,
  () => {
    test('is what the compiler makes of our interface files', () => {
      const out = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-thrift-'));
      try {
        generateThrift(out);
        const committed = path.join(repositoryRoot(), FOLDER, 'generated');
        const [made, kept] = [readAll(out), readAll(committed)];
        expect(Object.keys(made)).toEqual(Object.keys(kept));
        expect(Object.keys(made).filter((name) => made[name] !== kept[name])).toEqual([]);
      } finally {
        fs.rmSync(out, { recursive: true });
      }
    });
  },
);
