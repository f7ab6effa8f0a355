import * as crypto from 'node:crypto';
import * as fs from 'node:fs';

/** Characters that are written at once of a file in pieces. */
const PIECE = 65_536;

/**
 * Writes a file that appears whole or not at all, also when several processes write it at once: each
 * has a partial file of its own, and the last one to rename it wins.
 * @param content may come in pieces, such as lines, which need not be in memory together.
 */
export function writeAtomically(
  file: string,
  content: string | Uint8Array | Iterable<string>,
): void {
  const partial = `${file}.${crypto.randomUUID().slice(0, 8)}.partial`;
  try {
    if (typeof content === 'string' || content instanceof Uint8Array) {
      fs.writeFileSync(partial, content);
    } else {
      writePieces(partial, content);
    }
    fs.renameSync(partial, file);
  } catch (error) {
    fs.rmSync(partial, { force: true });
    throw error;
  }
}

function writePieces(file: string, pieces: Iterable<string>): void {
  const descriptor = fs.openSync(file, 'w');
  try {
    let waiting = '';
    for (const piece of pieces) {
      waiting += piece;
      if (waiting.length < PIECE) continue;
      fs.writeFileSync(descriptor, waiting);
      waiting = '';
    }
    fs.writeFileSync(descriptor, waiting);
  } finally {
    fs.closeSync(descriptor);
  }
}
