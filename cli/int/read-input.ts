import * as fs from 'node:fs';
import { InputError } from '../../common/errors';
import { DOCUMENT_BYTES_MAX, readTextFile } from '../../common/io/bounded-file';

const CHUNK_BYTES = 65_536;

/** Text of a file, or of standard input for `-`, within bounds. @throws InputError when it cannot be read. */
export function readInput(file: string): string {
  try {
    return file === '-' ? readOpen(0) : readTextFile(file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`cannot read ${file}: ${(error as Error).message}`);
  }
}

/** Standard input may take its time, but not all memory. */
function readOpen(fd: number): string {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    const count = fs.readSync(fd, chunk);
    if (count === 0) return Buffer.concat(chunks).toString('utf8');
    length += count;
    if (length > DOCUMENT_BYTES_MAX) {
      throw new InputError(`standard input is longer than ${DOCUMENT_BYTES_MAX} bytes`);
    }
    chunks.push(chunk.subarray(0, count));
  }
}
