import { ONLY_PLACE } from './net/network-place';
import type { NetworkPlace } from './net/network-place';

/** Signals that a program can handle. */
export type RunSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/** Access of a switch or a host to the process that it runs in, which it may share with others. */
export interface Environment {
  /** Writes to standard output, 1, or standard error, 2. */
  write(stream: 1 | 2, text: string): void;
  /** Returns what ends the listening. */
  onSignal(signal: RunSignal, act: () => void): () => void;
  /** Sets the exit code of the process, or of the member of a group that this is. */
  setExitCode(code: number): void;
  /** Network of its interfaces and sockets. */
  readonly network: NetworkPlace;
  /** True if other programs run in the process, so that process-wide changes are forbidden. */
  readonly isShared: boolean;
}

/** A process that carries nothing else. */
export const OWN_PROCESS: Environment = {
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
