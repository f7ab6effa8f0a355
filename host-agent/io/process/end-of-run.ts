/** When a process that stays shall end. */
export interface Ending {
  /** Resolves at the end of the run, fails when it cannot go on. */
  readonly promise: Promise<void>;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
  /** Signals do what they usually do again. */
  readonly release: () => void;
}

/** By SIGTERM or SIGINT, or by whoever calls. */
export function endOfRun(): Ending {
  let end: () => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  // It may fail before anybody waits for it.
  promise.catch(() => undefined);
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  const release = (): void => {
    process.removeListener('SIGTERM', end);
    process.removeListener('SIGINT', end);
  };
  return { promise, end, fail, release };
}
