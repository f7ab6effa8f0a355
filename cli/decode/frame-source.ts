import * as fs from 'node:fs';
import { InputError } from '../../common/errors';
import { CaptureFrames } from '../../common/telemetry/decode/decode-capture';
import type { LinkFrame } from '../../common/telemetry/decode/decode-capture';

/** Frames that came together, and are to be shown before the next ones are waited for. */
export type Batches = AsyncGenerator<Iterable<LinkFrame>>;

/** Bytes that are read at once: large enough that calls cost nothing, and no more is held. */
const PIECE_BYTES = 1 << 20;

/**
 * A capture file, or standard input for `-`, as it arrives.
 * @throws InputError when it cannot be read, or is damaged, after what precedes the damage.
 */
export async function* captureBatches(capture: string): Batches {
  const name = capture === '-' ? 'standard input' : capture;
  const frames = new CaptureFrames(name);
  const stream =
    capture === '-' ? process.stdin : fs.createReadStream(capture, { highWaterMark: PIECE_BYTES });
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  try {
    for (;;) {
      const piece = await nextPiece(pieces, name);
      if (piece === undefined) break;
      yield frames.read(piece);
    }
    yield frames.end();
  } finally {
    // Who stops early must not wait for the writer of a pipe.
    stream.destroy();
  }
}

async function nextPiece(
  pieces: AsyncIterator<Uint8Array>,
  name: string,
): Promise<Uint8Array | undefined> {
  try {
    const next = await pieces.next();
    return next.done === true ? undefined : next.value;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`cannot read ${name}: ${reason}`);
  }
}
