/** Those who are called in one go, by their period in milliseconds. */
const INTERVALS = new Map<number, { readonly acts: Set<() => void>; timer: NodeJS.Timeout }>();

/**
 * Like setInterval, but all of one period in this process are called together: what they cost is
 * mostly that the process wakes.
 * @param act must not throw.
 * @returns what ends it.
 */
export function everyTogether(milliseconds: number, act: () => void): () => void {
  let interval = INTERVALS.get(milliseconds);
  if (interval === undefined) {
    const acts = new Set<() => void>();
    const timer = setInterval(() => acts.forEach((each) => each()), milliseconds);
    interval = { acts, timer };
    INTERVALS.set(milliseconds, interval);
  }
  const { acts, timer } = interval;
  // A function of its own, as the same one may be given twice.
  const own = (): void => act();
  acts.add(own);
  return () => {
    if (!acts.delete(own) || acts.size > 0) return;
    clearInterval(timer);
    INTERVALS.delete(milliseconds);
  };
}
