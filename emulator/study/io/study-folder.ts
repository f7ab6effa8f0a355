import * as fs from 'node:fs';
import * as path from 'node:path';
import { createRequire } from 'node:module';
import type * as Koffi from 'koffi' with { 'resolution-mode': 'import' };
import { InputError } from '../../../common/errors';
import { openOutputFolder } from '../../../common/io/output-folder';

// The library is typed as an ES module and can be required.
const koffi = createRequire(__filename)('koffi') as typeof Koffi;

/** Another process has the folder. */
export class FolderInUseError extends InputError {}

/** flock(2): exclusive, and without waiting. */
const LOCK_EXCLUSIVE_NOW = 2 | 4;

/** The folder of a study, for this process alone: its database is files that two would spoil. */
export class StudyFolder {
  private constructor(
    readonly folder: string,
    private readonly lock: number,
  ) {}

  /**
   * Makes the folder if needed, and takes it. The kernel lets it go when the process ends, however it ends.
   * @throws InputError when it cannot be written, or another process has it.
   */
  static open(folder: string): StudyFolder {
    openOutputFolder(folder);
    const lock = fs.openSync(path.join(folder, 'lock'), 'a');
    const flock = koffi.load(null).func('int flock(int fd, int operation)') as unknown as (
      fd: number,
      operation: number,
    ) => number;
    if (flock(lock, LOCK_EXCLUSIVE_NOW) === 0) return new StudyFolder(folder, lock);
    fs.closeSync(lock);
    throw new FolderInUseError(
      `${folder} is in use by another hpcc study: wait for it, or interrupt it`,
    );
  }

  /** Files of the embedded database. */
  get database(): string {
    return path.join(this.folder, 'database');
  }

  /** Records that runs of batch systems have left. */
  get records(): string {
    return path.join(this.folder, 'cells');
  }

  close(): void {
    fs.closeSync(this.lock);
  }
}
