/** The server's only source of time; tests hand in their own. All times are in ns. */
export interface ServerClock {
  /** Never goes back; its origin means nothing. */
  now(): bigint;
  /** Since the epoch, for timestamps that controllers read. */
  sinceEpoch(): bigint;
  /** Calls `wake` once at an instant of {@link now}. @returns what calls it off. */
  wakeAt(instant: bigint, wake: () => void): () => void;
}

const NS_PER_MS = 1_000_000n;

/** The clock of the machine. Its timers do not keep a process alive. */
export const SYSTEM_CLOCK: ServerClock = {
  now: () => process.hrtime.bigint(),
  sinceEpoch: () => BigInt(Date.now()) * NS_PER_MS,
  wakeAt: (instant, wake) => {
    const wait = instant - process.hrtime.bigint();
    // A timer may fire up to a millisecond early, so it is set for the next whole one.
    const milliseconds = wait <= 0n ? 0 : Number(wait / NS_PER_MS) + 1;
    const timer = setTimeout(wake, Math.min(milliseconds, 2 ** 31 - 1));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
