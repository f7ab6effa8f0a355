import { ONLY_PLACE } from './net/network-place';
import type { NetworkPlace } from './net/network-place';

/** Signals that whatever runs may want to hear of. */
export type RunSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/** What a switch or a host has of the process that it runs in, which it may share with others. */
export interface Surroundings {
  /** Writes to standard output, 1, or standard error, 2. */
  write(stream: 1 | 2, text: string): void;
  /** Returns what ends the listening. */
  onSignal(signal: RunSignal, act: () => void): () => void;
  /** What the process, or what stands for it here, hands back at its end. */
  setExitCode(code: number): void;
  /** Where its interfaces are, and where its sockets are to be made. */
  readonly network: NetworkPlace;
  /** Whether others run in the process, so that nothing may be done to all of it. */
  readonly isShared: boolean;
}

/** A process that carries nothing else. */
export const OWN_PROCESS: Surroundings = {
  write: (stream, text) => void (stream === 1 ? process.stdout : process.stderr).write(text),
  onSignal: (signal, act) => {
    process.on(signal, act);
    return () => void process.removeListener(signal, act);
  },
  setExitCode: (code) => {
    process.exitCode = code;
  },
  network: ONLY_PLACE,
  isShared: false,
};
