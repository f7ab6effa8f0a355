import * as crypto from 'node:crypto';
import * as fs from 'node:fs';

/** Characters that are written at once of a file in pieces. */
const PIECE = 65_536;

type Content = string | Uint8Array | Iterable<string>;

/**
 * Writes a file that appears whole or not at all, also when several processes write it at once: each
 * has a partial file of its own, and the last one to rename it wins. A link stays, and leads to the new
 * file. Devices and pipes, such as /dev/null or /dev/stdout, take what is written as it comes.
 * @param content may come in pieces, such as lines, which need not be in memory together.
 */
export function writeAtomically(file: string, content: Content): void {
  const target = targetOf(file);
  if (target === undefined) {
    write(file, content, 'a');
    return;
  }
  const partial = `${target}.${crypto.randomUUID().slice(0, 8)}.partial`;
  try {
    write(partial, content, 'w');
    fs.renameSync(partial, target);
  } catch (error) {
    fs.rmSync(partial, { force: true });
    throw error;
  }
}

/** Names of what a process has open, which may be a regular file that others go on writing. */
const OPEN_FILES = /^\/(?:dev\/(?:std|fd\/)|proc\/)/;

/** The file to replace, behind all links; undefined where something else than a file must stay. */
function targetOf(file: string): string | undefined {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return file;
  return found.isFile() && !OPEN_FILES.test(file) ? fs.realpathSync(file) : undefined;
}

function write(file: string, content: Content, flag: 'a' | 'w'): void {
  const descriptor = fs.openSync(file, flag);
  try {
    if (typeof content === 'string' || content instanceof Uint8Array)
      fs.writeFileSync(descriptor, content);
    else writePieces(descriptor, content);
  } finally {
    fs.closeSync(descriptor);
  }
}

function writePieces(descriptor: number, pieces: Iterable<string>): void {
  let waiting = '';
  for (const piece of pieces) {
    waiting += piece;
    if (waiting.length < PIECE) continue;
    fs.writeFileSync(descriptor, waiting);
    waiting = '';
  }
  fs.writeFileSync(descriptor, waiting);
}
