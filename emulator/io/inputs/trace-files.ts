import * as fs from 'node:fs';
import * as path from 'node:path';
import { readBytesFile } from '../../../common/io/bounded-file';
import { InputError } from '../../../common/errors';
import { note } from '../../../common/io/terminal';
import { readTrace } from '../../workload/readers/read-trace';
import type { RecognisedTrace } from '../../workload/readers/read-trace';
import type { TraceFile } from '../../workload/readers/reader';

interface ReadOptions {
  /** Folder that relative names begin with. */
  readonly folder: string;
  /** Length of the buffers, for files that are for any length. */
  readonly bytes?: number;
}

/**
 * Reads a trace: a file, a folder with a file for each rank, or the beginning of the names of such files, as
 * astra-sim takes it. What is left out is said on standard error.
 * @throws InputError naming file and line.
 */
export function readTraceFiles(name: string, { folder, bytes }: ReadOptions): RecognisedTrace {
  const files = filesOf(path.resolve(folder, name), name).map(readFile);
  const read = readTrace(files, { bytes });
  for (const warning of read.warnings) note(`hpcc: ${warning}`);
  return read;
}

function filesOf(at: string, name: string): string[] {
  const state = fs.statSync(at, { throwIfNoEntry: false });
  if (state?.isDirectory() === true) {
    const files = namesIn(at).filter((file) => !file.startsWith('.'));
    if (files.length === 0) throw new InputError(`${name}: there are no files in the folder`);
    return files.map((file) => path.join(at, file));
  }
  if (state !== undefined) return [at];
  const beginning = `${path.basename(at)}.`;
  const found = namesIn(path.dirname(at)).filter(
    (file) => file.startsWith(beginning) && /^\d+(?:\.\w+)?$/.test(file.slice(beginning.length)),
  );
  if (found.length > 0) return found.map((file) => path.join(path.dirname(at), file));
  throw new InputError(
    `no trace '${name}': neither a file, nor a folder, nor are there files ${name}.0.*`,
  );
}

function namesIn(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    throw new InputError(`cannot read ${folder}: ${(error as Error).message}`);
  }
}

function readFile(file: string): TraceFile {
  try {
    return { name: file, bytes: readBytesFile(file) };
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`cannot read ${file}: ${(error as Error).message}`);
  }
}
