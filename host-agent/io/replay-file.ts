import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { InputError } from '../../common/errors';
import { presetForHops } from '../replay/vector-replay';
import { isVectorHeader, parseHopCount } from '../replay/vector-line';
import type { ReplayResult } from '../replay/vector-replay';
import { VectorReplay } from '../replay/vector-replay';

/** The draft's default; files recorded with another value need it given. */
export const DEFAULT_MAX_STAGE = 5;

/**
 * Replays a file of recorded acknowledgements, plain or gzip-compressed (by the name's end ".gz").
 * The file is read twice, as a stream: first for the longest path, which says in which of the two
 * recorded networks the run took place, then for the replay.
 * @param baseRttNs T in ns; that of the recorded network unless given.
 * @throws InputError naming file and line if the file cannot be read, is malformed, or had another T.
 */
export async function replayFile(
  path: string,
  maxStage: number = DEFAULT_MAX_STAGE,
  baseRttNs?: number,
): Promise<ReplayResult> {
  const hopsMax = await maxHopsOf(path);
  const replay = new VectorReplay(presetForHops(hopsMax, maxStage, baseRttNs));
  await forEachLine(path, (line) => replay.feed(line));
  const result = replay.result();
  if (result.acks === 0)
    throw new InputError(`${path}: wanted recorded acknowledgements, found none`);
  return result;
}

async function maxHopsOf(path: string): Promise<number> {
  let hopsMax = 0;
  await forEachLine(path, (line, number) => {
    if (line === '' || (number === 1 && isVectorHeader(line))) return;
    hopsMax = Math.max(hopsMax, parseHopCount(line, `line ${number}`));
  });
  return hopsMax;
}

async function forEachLine(
  path: string,
  take: (line: string, number: number) => void,
): Promise<void> {
  const input = openText(path);
  let failure: Error | undefined;
  input.on('error', (error) => (failure = error));
  let number = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) take(line, ++number);
  } catch (error) {
    failure ??= error instanceof Error ? error : new Error(String(error));
  } finally {
    input.destroy();
  }
  if (failure === undefined) return;
  // A failed stream names the path itself or knows only about its bytes, never about lines.
  if (failure instanceof InputError) throw new InputError(`${path}, ${failure.message}`);
  throw new InputError(`${path}, after line ${number}: ${failure.message}`);
}

function openText(path: string): Readable {
  const file = createReadStream(path);
  if (!path.endsWith('.gz')) return file;
  // The callback is required; errors reach the reader through the destination.
  return pipeline(file, createGunzip(), () => undefined);
}
