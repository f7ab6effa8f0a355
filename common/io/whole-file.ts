import * as crypto from 'node:crypto';
import * as fs from 'node:fs';

/**
 * Writes a file that appears whole or not at all, also when several processes write it at once: each
 * has a partial file of its own, and the last one to rename it wins.
 */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const partial = `${file}.${crypto.randomUUID().slice(0, 8)}.partial`;
  try {
    fs.writeFileSync(partial, content);
    fs.renameSync(partial, file);
  } catch (error) {
    fs.rmSync(partial, { force: true });
    throw error;
  }
}
