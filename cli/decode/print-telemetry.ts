import { once } from 'node:events';
import { ByteText } from '../../common/telemetry/lines/byte-text';
import type { DecodedCaptureFrame } from '../../common/telemetry/decode/decode-capture';
import type { Telemetry } from '../../common/telemetry/decode/telemetry';
import type { LineFormat, LineHead } from '../../common/telemetry/lines/line-format';
import { WireFault } from '../../common/wire/fault';
import type { Batches } from './frame-source';

/** What was read. */
export interface DecodeCounts {
  frames: number;
  /** Telemetry headers. */
  telemetry: number;
  /** Frames whose link, network or transport headers are damaged. */
  damaged: number;
}

/** When to stop: after so many frames, or when somebody interrupts. */
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

/**
 * Prints all lines; those of frames that came together are printed before the next are waited for.
 * @throws what reading throws, after the lines of what precedes it.
 */
export async function printTelemetry(
  batches: Batches,
  lines: LineFormat,
  end: Ending,
): Promise<DecodeCounts> {
  endWithReader();
  const counts = { frames: 0, telemetry: 0, damaged: 0 };
  const out = new ByteText();
  lines.start(out);
  try {
    for await (const batch of batches) {
      for (const frame of batch) {
        count(frame, counts, (head, telemetry) => lines.write(out, head, telemetry));
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

function count(
  { frame, time, decoded }: DecodedCaptureFrame,
  counts: DecodeCounts,
  write: (head: LineHead, telemetry: Telemetry) => void,
): void {
  counts.frames++;
  if (decoded instanceof WireFault) {
    counts.damaged++;
    return;
  }
  for (const telemetry of decoded.telemetry) {
    counts.telemetry++;
    write({ frame, time, decoded }, telemetry);
  }
}

/** Waits for a slow reader, so that lines do not pile up in memory. */
async function flush(out: ByteText): Promise<void> {
  if (out.length > 0 && !process.stdout.write(out.take())) await once(process.stdout, 'drain');
}

/** A reader that has seen enough, such as `head`, ends the command without complaint. */
function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
