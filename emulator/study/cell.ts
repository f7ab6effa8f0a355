import type { ScenarioDocument } from '../scenario/schema';
import type { Coordinate } from './grid';

/** Everything that determines the result of a cell. */
export interface CellInput {
  readonly scenario: ScenarioDocument;
  readonly seed: number;
  readonly checkInvariants: boolean;
  /** Digests of the compiled programs of its switches, by name. */
  readonly p4: Readonly<Record<string, string>>;
  /** Digests of files whose code decides it too: an own algorithm, and the judge of the study. */
  readonly code?: Readonly<Record<'algorithm' | 'judge', string | undefined>>;
  /** Version of the project that is to run it. */
  readonly version: string;
}

/** One run of a study. */
export interface Cell {
  /** 64 hexadecimal digits. */
  readonly id: string;
  readonly input: CellInput;
  readonly point: readonly Coordinate[];
}

/**
 * Files of whoever runs a cell. They come from the command line of the process that runs it, never from a queue or
 * a result: a cell names code by its digest alone.
 */
export interface CellFiles {
  /** Judge of the study that this process was started for. */
  readonly judge?: string | undefined;
  /**
   * Paths of algorithms and judges that may run, by the SHA-256 of their text. Absent: an algorithm is where the study
   * of this process says.
   */
  readonly code?: Readonly<Record<string, string>>;
  /** Digests of those that run with all rights of the process; others run in compartments. */
  readonly trusted?: readonly string[];
  /** A folder or s3:// address that the whole result is left in. */
  readonly keep?: string | undefined;
}

/**
 * The text that the id of a cell is the digest of: JSON with sorted keys, and without what is undefined.
 */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonicalText(one ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${canonicalText(part)}`);
  return `{${entries.join(',')}}`;
}

/** Outcome of a cell. Only `summary` is the same wherever and whenever it runs. */
export interface Outcome {
  readonly cell: string;
  /** Text of JSON; undefined for a cell that failed. */
  readonly summary?: string;
  /** Why there is no summary. */
  readonly reason?: string;
  readonly provenance: Provenance;
}

/** Machine, time and process of a cell's run. */
export interface Provenance {
  readonly version: string;
  readonly commit: string;
  readonly host: string;
  readonly durationMs: number;
  /** Largest resident memory seen while it ran. */
  readonly memoryBytes: number;
}
