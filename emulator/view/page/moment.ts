import type { RunView } from '../data/page-data';

/** The reader's position: an instant, a part of the run, a flow. */
export interface Look {
  readonly nowUs: number;
  readonly fromUs: number;
  readonly toUs: number;
  readonly flow: number | null;
}

/**
 * The one place that knows what the reader looks at. Charts and the network follow it without being
 * rendered anew, so that scrubbing costs a few attributes per frame.
 */
export class Moment {
  #look: Look;
  #durationUs: number;
  readonly #followers = new Set<(look: Look, before: Look) => void>();
  readonly #pointerFollowers = new Set<(us: number | undefined) => void>();

  /** @param isLive whether to look at the newest instant, and go on with it. */
  constructor({ durationUs }: Pick<RunView, 'durationUs'>, isLive = false) {
    this.#durationUs = durationUs;
    this.#look = { nowUs: isLive ? durationUs : 0, fromUs: 0, toUs: durationUs, flow: null };
  }

  get look(): Look {
    return this.#look;
  }

  get durationUs(): number {
    return this.#durationUs;
  }

  get isWhole(): boolean {
    return this.#look.fromUs <= 0 && this.#look.toUs >= this.#durationUs;
  }

  /** Calls `follow` at every change; the result ends that. */
  follow(follow: (look: Look, before: Look) => void): () => void {
    this.#followers.add(follow);
    return () => this.#followers.delete(follow);
  }

  /** The pointer is at an instant of a chart, or at none; others mark it too. */
  pointAt(us: number | undefined): void {
    for (const follower of this.#pointerFollowers) follower(us);
  }

  /** Calls `follow` when the pointer moves over a chart; the result ends that. */
  followPointer(follow: (us: number | undefined) => void): () => void {
    this.#pointerFollowers.add(follow);
    return () => this.#pointerFollowers.delete(follow);
  }

  change(part: Partial<Look>): void {
    const before = this.#look;
    const clamp = (us: number): number => Math.min(this.#durationUs, Math.max(0, us));
    const next = { ...before, ...part };
    this.#look = {
      ...next,
      nowUs: clamp(next.nowUs),
      fromUs: clamp(next.fromUs),
      toUs: clamp(next.toUs),
    };
    for (const follower of this.#followers) follower(this.#look, before);
  }

  /** Shows a part around the present instant that is `factor` times as long. */
  zoom(factor: number): void {
    const { fromUs, toUs, nowUs } = this.#look;
    const center = nowUs >= fromUs && nowUs <= toUs ? nowUs : (fromUs + toUs) / 2;
    const left = (center - fromUs) * factor;
    const right = (toUs - center) * factor;
    if (left + right < SHORTEST_US) return;
    this.change({ fromUs: center - left, toUs: center + right });
  }

  whole(): void {
    this.change({ fromUs: 0, toUs: this.#durationUs });
  }

  /** A run in progress has become longer; who looked at all of it goes on doing so. */
  grow(durationUs: number): void {
    const { isWhole } = this;
    const isAtEnd = this.#look.nowUs >= this.#durationUs;
    this.#durationUs = durationUs;
    this.change({
      ...(isWhole && { fromUs: 0, toUs: durationUs }),
      ...(isAtEnd && { nowUs: durationUs }),
    });
  }
}

/** Nothing in a run is shorter than a ns. */
const SHORTEST_US = 0.01;
