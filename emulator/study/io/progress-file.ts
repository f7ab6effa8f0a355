import * as fs from 'node:fs';
import * as path from 'node:path';
import { writeAtomically } from '../../../common/io/atomic-file';
import type { StudyStatus } from '../tally';

/** A status, and what only who is at work can say. */
export interface LiveStatus extends StudyStatus {
  readonly name: string;
  /** Null before the first cell has ended. */
  readonly secondsLeft: number | null;
}

const fileOf = (folder: string): string => path.join(folder, 'progress.json');

/**
 * For others to read: the database of a folder belongs to the process that runs the study. A folder that
 * cannot be written, as on a full disk, ends no run for that.
 */
export function writeProgress(folder: string, status: LiveStatus): void {
  try {
    writeAtomically(fileOf(folder), `${JSON.stringify(status)}\n`);
  } catch {
    // The next one may have room.
  }
}

/**
 * Status of this study from the process that has the folder; undefined if it runs another study.
 */
export function readProgress(folder: string, name: string): LiveStatus | undefined {
  try {
    const status = JSON.parse(fs.readFileSync(fileOf(folder), 'utf8')) as LiveStatus;
    return status.name === name ? status : undefined;
  } catch {
    return undefined;
  }
}

export const removeProgress = (folder: string): void => fs.rmSync(fileOf(folder), { force: true });
