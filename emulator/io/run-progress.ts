import type { Result } from '../result/result';

/** Progress of a run. */
export interface RunProgress {
  /** Fraction from 0 to 1: of virtual time where the scenario has an end, else of the payload. */
  readonly fraction: number;
  readonly virtualUs: number;
  readonly packetHops: number;
  /** Real time of the virtual part so far. */
  readonly wallSeconds: number;
  /**
   * Result up to now; takes as long as summing up a whole run. Absent where workers share the run.
   */
  readonly partial: (() => Result) | undefined;
}
