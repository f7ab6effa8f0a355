import { PS_PER_US } from '../../../common/units/units';
import { TimelineRecorder } from '../../record/timelines';
import type { Timelines } from '../../result/timelines';

/** Counters of the whole network at one instant, from when nothing had been sent. */
export interface Counted {
  /** Bytes that each link has sent, by its name. */
  readonly sentBytes: ReadonlyMap<string, number>;
  readonly droppedPackets: number;
}

/** Totals of a link so far. */
export interface LinkTotal {
  readonly sentBytes: number;
  readonly queuePeakBytes: number;
}

/** Intervals are not shorter. */
export const LIVE_INTERVAL_US = 100_000;
/** Queues that wait for the counters of their instant. */
const NOTES_MAX = 100_000;

interface QueueNote {
  readonly us: number;
  readonly link: number;
  readonly bytes: number;
}

/**
 * Load and queue of real links over time, in bounded memory however long that is. Counters advance
 * the time; reports of queues in between find their interval.
 */
export class LiveLinks {
  readonly #names: readonly string[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #totals: { sentBytes: number; queuePeakBytes: number }[];
  readonly #recorder: TimelineRecorder;
  #notes: QueueNote[] = [];
  #counts = { droppedPackets: 0, feedbackPackets: 0 };
  #us = 0;

  /** @param names of directions of links, `s1:2->h1:1`. */
  constructor(names: readonly string[]) {
    this.#names = names;
    this.#numbers = new Map(names.map((name, i) => [name, i]));
    this.#totals = names.map(() => ({ sentBytes: 0, queuePeakBytes: 0 }));
    this.#recorder = new TimelineRecorder({
      links: this.#totals.map((ledger, i) => ({ name: names[i] ?? '', ledger })),
      interval: LIVE_INTERVAL_US * PS_PER_US,
      counts: () => this.#counts,
    });
  }

  /** Up to where it is known, in us. */
  get us(): number {
    return this.#us;
  }

  /** Totals in the order of the names. */
  get totals(): readonly LinkTotal[] {
    return this.#totals;
  }

  get droppedPackets(): number {
    return this.#counts.droppedPackets;
  }

  timelines(): Timelines {
    return this.#recorder.timelines();
  }

  /** Notes the queue length before a link. */
  waited(us: number, link: string, bytes: number): void {
    const number = this.#numbers.get(link);
    if (number === undefined || this.#notes.length >= NOTES_MAX) return;
    this.#notes.push({ us, link: number, bytes });
  }

  /** Takes the counters of an instant; between two instants links are taken to send evenly. */
  counted(us: number, { sentBytes, droppedPackets }: Counted): void {
    const from = this.#us;
    if (us <= from) return;
    const before = this.#totals.map((total) => total.sentBytes);
    const after = this.#names.map((name, i) => sentBytes.get(name) ?? before[i] ?? 0);
    const notes = this.#notes.sort((a, b) => a.us - b.us);
    let next = 0;
    for (let edge = from; edge < us;) {
      edge = Math.min(us, (Math.floor(edge / LIVE_INTERVAL_US) + 1) * LIVE_INTERVAL_US);
      for (let note = notes[next]; note !== undefined && note.us < edge; note = notes[++next]) {
        this.#note(note);
      }
      const share = (edge - from) / (us - from);
      this.#totals.forEach((total, i) => {
        const [low, high] = [before[i] ?? 0, after[i] ?? 0];
        total.sentBytes = low + (high - low) * share;
      });
      if (edge === us) this.#counts = { droppedPackets, feedbackPackets: 0 };
      this.#recorder.sample(edge * PS_PER_US);
    }
    this.#notes = notes.slice(next);
    this.#us = us;
  }

  #note({ link, bytes }: QueueNote): void {
    this.#recorder.noteQueue(link, bytes);
    const total = this.#totals[link];
    if (total !== undefined && bytes > total.queuePeakBytes) total.queuePeakBytes = bytes;
  }
}
