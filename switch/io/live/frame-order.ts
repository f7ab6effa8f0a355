import type { CapturedFrame } from '../../../common/wire/capture/records';

/** The frames of one capture that have not been taken yet. */
interface Waiting {
  readonly frames: readonly CapturedFrame[];
  next: number;
}

/**
 * Frames of several captures in the order of their times; the times between them do not matter. Of
 * equal times, the capture that was added first has its turn first. PERF: each frame costs a look
 * at every capture, of which there are as many as ports.
 */
export class FrameOrder {
  readonly #captures: Waiting[] = [];

  /** Returns what gives the next frame of this capture when it is its turn, or undefined. */
  add(frames: readonly CapturedFrame[]): () => Uint8Array | undefined {
    const capture: Waiting = { frames, next: 0 };
    this.#captures.push(capture);
    return () => {
      if (this.#earliest() !== capture) return undefined;
      capture.next += 1;
      return capture.frames[capture.next - 1]?.bytes;
    };
  }

  #earliest(): Waiting | undefined {
    let earliest: Waiting | undefined;
    for (const capture of this.#captures) {
      const frame = capture.frames[capture.next];
      if (frame === undefined) continue;
      const best = earliest?.frames[earliest.next];
      if (best === undefined || isBefore(frame, best)) earliest = capture;
    }
    return earliest;
  }
}

/** Seconds and nanoseconds together would not fit into a number. */
function isBefore({ time: a }: CapturedFrame, { time: b }: CapturedFrame): boolean {
  const seconds = (a?.seconds ?? 0) - (b?.seconds ?? 0);
  return seconds === 0 ? (a?.nanoseconds ?? 0) < (b?.nanoseconds ?? 0) : seconds < 0;
}
