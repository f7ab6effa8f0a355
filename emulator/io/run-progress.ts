import type { Result } from '../result/result';

/** How far a run has come. */
export interface RunProgress {
  /** From 0 to 1: of virtual time where the scenario says when it ends, else of the payload. */
  readonly fraction: number;
  readonly virtualUs: number;
  readonly packetHops: number;
  /** Real time of the virtual part so far. */
  readonly wallSeconds: number;
  /** What there is up to now; takes as long as summing up a whole run. Absent where workers share it. */
  readonly partial: (() => Result) | undefined;
}
