import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { writeAtomically } from '../atomic-file';
import { WITHOUT_REDUCER } from './memory-reducer';

/** The folder of what one process keeps for the next: beside the code, as whoever may write to it chooses what runs. */
export const KEPT_FOLDER = path.join(__dirname, '..', '..', '..', '.cache');

/** Bytes of the digest that a file begins with. */
const DIGEST_BYTES = 20;
const OTHERS_MAY_WRITE = 0o002;

/** That folder in a process that handles packets; undefined in all others, such as programs that use this as a library. */
export const keptFolder = (): string | undefined =>
  process.execArgv.includes(WITHOUT_REDUCER) ? KEPT_FOLDER : undefined;

/**
 * Opens a kept file for reading.
 * @returns a descriptor, which the caller closes; undefined when there is no such file, or when somebody who may not
 * change the code of this program could have written it.
 */
export function openKept(file: string): number | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(file, 'r');
    const found = fs.fstatSync(descriptor);
    const owners = [0, process.geteuid?.(), fs.statSync(__filename).uid];
    if (found.isFile() && owners.includes(found.uid) && (found.mode & OTHERS_MAY_WRITE) === 0) {
      return descriptor;
    }
  } catch {
    // There is none that may be read.
  }
  if (descriptor !== undefined) fs.closeSync(descriptor);
  return undefined;
}

/** Contents that {@link writeKept} wrote; undefined where there are none, or damaged ones. */
export function readKept(file: string): Buffer | undefined {
  const descriptor = openKept(file);
  if (descriptor === undefined) return undefined;
  try {
    const bytes = fs.readFileSync(descriptor);
    const content = bytes.subarray(DIGEST_BYTES);
    return digestOf(content).equals(bytes.subarray(0, DIGEST_BYTES)) ? content : undefined;
  } catch {
    return undefined;
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * Keeps contents for {@link readKept}: whole or not at all, and not where nothing can be written.
 * @param most files whose name has the same letters before its first `-`; the newest stay.
 */
export function writeKept(file: string, content: Uint8Array, most: number): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    writeAtomically(file, Buffer.concat([digestOf(content), content]));
    removeOldest(file, most);
  } catch {
    // The next process does the work again.
  }
}

/** Leaves the newest of the files whose names begin as this one's does, up to the first `-`. */
export function removeOldest(file: string, most: number): void {
  const folder = path.dirname(file);
  const [kind] = path.basename(file).split('-');
  const alike = fs.readdirSync(folder).filter((name) => name.startsWith(`${kind}-`));
  if (alike.length <= most) return;
  const ages = alike.map((name) => {
    const other = path.join(folder, name);
    return { other, at: fs.statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  ages.sort((a, b) => b.at - a.at);
  for (const { other } of ages.slice(most)) fs.rmSync(other, { force: true });
}

const digestOf = (of: Uint8Array): Buffer => crypto.createHash('sha1').update(of).digest();
