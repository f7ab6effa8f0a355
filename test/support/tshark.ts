import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { pcapFile } from './wire/pcap-file';

const TSHARK = 'tshark';

export const tsharkAvailable = (): boolean =>
  spawnSync(TSHARK, ['--version'], { stdio: 'ignore' }).status === 0;

/** Returns tshark's fields of each of these frames, as {@link rowsOfCapture}. */
export const rowsOfFrames = (
  frames: readonly Uint8Array[],
  fields: readonly string[],
  options?: readonly string[],
  linkType?: number,
): string[][] =>
  rowsOfCapture(pcapFile(frames, linkType === undefined ? {} : { linkType }), fields, options);

/**
 * Returns tshark's fields of each frame of a capture: a cell per field, in which the values of a field that
 * is there more than once are separated by commas.
 * @param capture the contents of a pcap or pcapng file.
 * @param options more options, such as preferences.
 */
export function rowsOfCapture(
  capture: Uint8Array,
  fields: readonly string[],
  options: readonly string[] = [],
): string[][] {
  const wanted = fields.flatMap((name) => ['-e', name]);
  const args = ['-T', 'fields', '-E', 'occurrence=a', ...options, ...wanted];
  return tshark(capture, args)
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split('\t'));
}

/** Through a file, as tshark takes no capture from a pipe. */
function tshark(capture: Uint8Array, args: readonly string[]): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-tshark-'));
  try {
    const file = path.join(folder, 'capture');
    fs.writeFileSync(file, capture);
    const run = spawnSync(TSHARK, ['-r', file, ...args], { encoding: 'utf8' });
    if (run.status === 0) return run.stdout;
    throw new Error(`${TSHARK} ${args.join(' ')} failed:\n${run.stderr}`);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
