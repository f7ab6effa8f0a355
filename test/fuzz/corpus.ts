import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT } from '../support/paths';
import type { FuzzTarget } from './target';

const FOLDER = path.join(ROOT, 'test', 'fuzz', 'corpus');

/** Bytes of a committed corpus, before they are text. */
const BYTES_MAX = 4_000;

const fileOf = (name: string): string => path.join(FOLDER, `${name}.txt`);

/** Inputs of a file, in base64, one line each; none where there is no file. */
export function readInputs(file: string): Uint8Array[] {
  if (!fs.existsSync(file)) return [];
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => Buffer.from(line, 'base64'));
}

export function writeInputs(file: string, inputs: readonly Uint8Array[]): void {
  const lines = inputs.map((input) => `${Buffer.from(input).toString('base64')}\n`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, lines.join(''));
}

/** Good inputs of a target, no longer than it takes them, and what fuzzing found to reach further. */
export function corpusOf(name: string, target: FuzzTarget): Uint8Array[] {
  const seeds = target.seeds().map((seed) => Uint8Array.from(seed).subarray(0, target.bytesMax));
  return [...seeds, ...readInputs(fileOf(name))];
}

/** Keeps the shortest of these, in a few kilobytes. @returns how many there are now. */
export function keep(name: string, inputs: readonly Uint8Array[]): number {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for (const input of [...inputs].sort((a, b) => a.length - b.length)) {
    bytes += input.length;
    if (bytes > BYTES_MAX) break;
    kept.push(input);
  }
  writeInputs(fileOf(name), kept);
  return kept.length;
}
