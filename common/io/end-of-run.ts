import type { Environment } from './environment';

/** When a switch or a host that stays shall end. */
export interface Ending {
  /** Resolves at the end of the run, fails when it cannot go on. */
  readonly promise: Promise<void>;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
  /** Signals do what they usually do again. */
  readonly release: () => void;
}

/** Ends by SIGTERM, SIGINT, or a call. A second signal has its default effect. */
export function endOfRun(environment: Environment): Ending {
  let resolvePromise: () => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((resolve, reject) => {
    resolvePromise = resolve;
    fail = reject;
  });
  // It may fail before anybody waits for it.
  promise.catch(() => undefined);
  const release = (): void => releases.forEach((each) => each());
  const end = (): void => {
    release();
    resolvePromise();
  };
  const releases = (['SIGTERM', 'SIGINT'] as const).map((signal) =>
    environment.onSignal(signal, end),
  );
  return { promise, end, fail, release };
}
