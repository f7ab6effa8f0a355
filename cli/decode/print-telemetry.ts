import { ByteText } from '../../common/telemetry/lines/byte-text';
import type { LinkFrame } from '../../common/telemetry/decode/decode-capture';
import type { DecodedFrame } from '../../common/telemetry/decode/decode-frame';
import type { LineFormat } from '../../common/telemetry/lines/line-format';
import { WireFault } from '../../common/wire/fault';
import type { Batches } from './frame-source';

/** Counts of what was read. */
export interface DecodeCounts {
  frames: number;
  /** Telemetry headers. */
  telemetry: number;
  /** Those of them that are damaged. */
  faults: number;
  /** Frames whose link, network or transport headers are damaged. */
  damaged: number;
}

/** Condition to stop: so many frames, or an interruption. */
export class Ending {
  isOver = false;

  constructor(readonly framesMax = Infinity) {}

  /** Ends instead of dying, so that the summary is printed; a second signal kills. */
  onSignals(): void {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => (this.isOver = true));
    }
  }
}

/** Text beyond this is written at once, so that a piece of a capture needs no more memory. */
const WRITE_BYTES = 1 << 18;

/** Decodes the headers of a frame. */
export type Decode = (frame: LinkFrame) => DecodedFrame | WireFault;

/**
 * Prints all lines; those of frames that came together are printed before the next are waited for.
 * @throws what reading throws, after the lines of what precedes it.
 */
export async function printTelemetry(
  batches: Batches,
  decode: Decode,
  lines: LineFormat,
  end: Ending,
): Promise<DecodeCounts> {
  endWithReader();
  const counts = { frames: 0, telemetry: 0, faults: 0, damaged: 0 };
  const out = new ByteText();
  lines.start(out);
  try {
    for await (const batch of batches) {
      for (const frame of batch) {
        counts.frames++;
        if (lines.shortcut?.write(out, counts.frames, frame) === true) {
          counts.telemetry++;
        } else {
          const decoded = decode(frame);
          if (decoded instanceof WireFault) counts.damaged++;
          else {
            const { telemetry } = decoded;
            counts.telemetry += telemetry.length;
            for (const found of telemetry) if ('fault' in found) counts.faults++;
            print({ out, number: counts.frames, frame, decoded }, lines);
          }
        }
        if (out.length >= WRITE_BYTES) await flush(out);
        if (counts.frames >= end.framesMax) end.isOver = true;
        if (end.isOver) break;
      }
      await flush(out);
      if (end.isOver) break;
    }
  } finally {
    if (counts.frames > 0) await flush(out);
  }
  return counts;
}

interface Decoded {
  readonly out: ByteText;
  readonly number: number;
  readonly frame: LinkFrame;
  readonly decoded: DecodedFrame;
}

function print({ out, number, frame, decoded }: Decoded, lines: LineFormat): void {
  const head = { frame: number, time: frame.time, decoded };
  for (const telemetry of decoded.telemetry) lines.write(out, head, telemetry);
  lines.shortcut?.learn(frame, decoded);
}

/** Waits until the memory of the text is free again, so that lines do not pile up. */
async function flush(out: ByteText): Promise<void> {
  if (out.length === 0) return;
  await new Promise((resolve) => process.stdout.write(out.written, resolve));
  out.clear();
}

/** A reader that has seen enough, such as `head`, ends the command without complaint. */
function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
