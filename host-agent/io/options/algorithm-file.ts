import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { InputError } from '../../../common/errors';
import { readTextFile } from '../../../common/io/bounded-file';
import { Compartment } from '../../../common/io/code/compartment';
import { CODE_BYTES_MAX } from '../../../common/io/code/module-text';
import type { Watchdog } from '../../../common/io/code/watchdog';
import type { InsideModule } from '../../algorithm/library/flow-inside';
import { exportsOf, newNumbers } from '../../algorithm/library/flow-outside';

/** Longest time that a trusted file may take until it has exported, in ms. */
const IMPORT_MS = 3000;

type Exported = Readonly<Record<string, unknown>>;

/** Who may do what, and who waits for it. */
interface Rights {
  /** True if the file has all rights of the process; otherwise it runs in a compartment. */
  readonly trust: boolean;
  readonly watched: Watchdog;
}

/** Runs a file's code and returns what it exports. @throws InputError for a file that cannot be loaded. */
export async function fileExports(file: string, { trust, watched }: Rights): Promise<Exported> {
  return trust ? importFile(file) : compartmentExports(file, watched);
}

async function importFile(file: string): Promise<Exported> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const said = `awaits at its top level what has not come for ${IMPORT_MS / 1000} s`;
    timer = setTimeout(() => reject(new Error(said)), IMPORT_MS);
  });
  try {
    const loading = import(pathToFileURL(path.resolve(file)).href) as Promise<Exported>;
    return await Promise.race([loading, late]);
  } catch (error) {
    throw notLoaded(file, error);
  } finally {
    clearTimeout(timer);
  }
}

function compartmentExports(file: string, watched: Watchdog): Exported {
  const numbers = newNumbers();
  const compartment = new Compartment({ mayAwait: false });
  const code = compartment.inside(require.resolve('../../algorithm/library/flow-inside'));
  const inside = (code as { insideModule: (numbers: Float64Array) => InsideModule }).insideModule(
    numbers,
  );
  const run = compartment.prepare(file, readText(file));
  const threw = watched.during(() => inside.load(run));
  if (threw !== undefined) throw notLoaded(file, new Error(threw));
  try {
    return watched.during(() => exportsOf(inside, numbers));
  } catch (error) {
    throw notLoaded(file, error);
  }
}

function readText(file: string): string {
  try {
    return readTextFile(file, CODE_BYTES_MAX);
  } catch (error) {
    throw error instanceof InputError ? error : notLoaded(file, error);
  }
}

function notLoaded(file: string, error: unknown): InputError {
  const said = error instanceof Error ? error.message : String(error);
  return new InputError(`${file}: cannot be loaded as an algorithm: ${said}`);
}
