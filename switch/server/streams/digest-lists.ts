import type { DigestSample } from '../../control/program-control';
import { Limits } from '../limits/limits';
import type { DigestConfig } from '../state/running-pipeline';

/** Samples that belong into one message. */
export interface SampleList {
  readonly listId: bigint;
  readonly samples: readonly DigestSample[];
}

/** A list that was sent and may still be acknowledged. */
interface SentList {
  readonly expiresAt: bigint;
  readonly keys: readonly string[];
}

/**
 * Bundles the samples of one digest and leaves out those that wait or were sent a short time ago.
 * It has no clock: instants are ns on any one clock, and {@link wakeup} says when to come again.
 */
export class DigestLists {
  private readonly waiting = new Map<string, DigestSample>();
  /** When the samples that wait must leave. */
  private dueAt: bigint | undefined;
  private readonly sent = new Map<bigint, SentList>();
  private readonly recent = new Set<string>();

  /** @param nextListId numbers the lists; no two lists of a device have the same. */
  constructor(
    private config: DigestConfig,
    private readonly nextListId: () => bigint,
    private readonly limits = new Limits(),
  ) {}

  get settings(): DigestConfig {
    return this.config;
  }

  /** New settings for samples and lists from now on. */
  configure(config: DigestConfig): void {
    this.config = config;
  }

  /** Takes a sample. @returns the list that must leave now, if one must. */
  add(now: bigint, sample: DigestSample): SampleList | undefined {
    this.expire(now);
    const key = sample.join(' ');
    if (this.waiting.has(key) || this.recent.has(key)) return undefined;
    if (this.recent.size >= this.limits.of('digest-memory')) {
      // A client that acknowledges nothing gets nothing more.
      this.limits.met('digest-memory');
      return undefined;
    }
    this.waiting.set(key, sample);
    this.dueAt ??= now + this.config.maxTimeoutNs;
    const most = this.limits.of('digest-samples');
    const size = this.config.maxListSize > 0 ? Math.min(this.config.maxListSize, most) : most;
    const full = this.waiting.size >= size;
    return full || this.dueAt <= now ? this.release(now) : undefined;
  }

  /** Lets go what has waited long enough. @returns the list that must leave now, if one must. */
  poll(now: bigint): SampleList | undefined {
    this.expire(now);
    return this.dueAt !== undefined && this.dueAt <= now ? this.release(now) : undefined;
  }

  /** When {@link poll} has something to do, or undefined while nothing waits. */
  wakeup(): bigint | undefined {
    return this.dueAt;
  }

  /** The controller has acted on a list; its samples may be sent again. */
  acknowledge(listId: bigint): void {
    this.forget(listId);
  }

  private release(now: bigint): SampleList {
    const list = { listId: this.nextListId(), samples: [...this.waiting.values()] };
    if (this.config.ackTimeoutNs > 0n) {
      const keys = [...this.waiting.keys()];
      this.sent.set(list.listId, { expiresAt: now + this.config.ackTimeoutNs, keys });
      for (const key of keys) this.recent.add(key);
    }
    this.waiting.clear();
    this.dueAt = undefined;
    return list;
  }

  private expire(now: bigint): void {
    for (const [listId, { expiresAt }] of this.sent) {
      if (expiresAt <= now) this.forget(listId);
    }
  }

  private forget(listId: bigint): void {
    for (const key of this.sent.get(listId)?.keys ?? []) this.recent.delete(key);
    this.sent.delete(listId);
  }
}
