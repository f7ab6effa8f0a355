import type { ServerClock } from '../../../switch/server/streams/clock';

/** A clock that tests move on; what is due then happens before {@link advance} returns. */
export class ManualClock implements ServerClock {
  private instant = 0n;
  private readonly alarms = new Set<{ readonly at: bigint; readonly wake: () => void }>();

  now(): bigint {
    return this.instant;
  }

  sinceEpoch(): bigint {
    return 1_000_000_000n + this.instant;
  }

  wakeAt(at: bigint, wake: () => void): () => void {
    const alarm = { at, wake };
    this.alarms.add(alarm);
    return () => this.alarms.delete(alarm);
  }

  advance(ns: bigint): void {
    const end = this.instant + ns;
    for (;;) {
      const due = [...this.alarms].filter(({ at }) => at <= end);
      const [first] = due.sort((a, b) => Number(a.at - b.at));
      if (first === undefined) break;
      this.alarms.delete(first);
      if (first.at > this.instant) this.instant = first.at;
      first.wake();
    }
    this.instant = end;
  }

  /** Number of wake-ups that are asked for. */
  get pending(): number {
    return this.alarms.size;
  }
}
