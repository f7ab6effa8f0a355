import { isNativeError } from 'node:util/types';

/**
 * Something that takes bytes of strangers, as fuzzing sees it. An input breaks a rule when what is
 * started throws: refusals are no breach, so a target catches the errors that are declared for them.
 */
export interface FuzzTarget {
  /** Kind of the inputs, in a few words. */
  readonly about: string;
  /** Inputs have at most so many bytes: speed depends on it. */
  readonly bytesMax: number;
  /** Number of changed inputs that the suite tries, about a second of them. */
  readonly inSuite: number;
  /** True if taking an input ends later. Default: no, which is faster. */
  readonly isAsync?: boolean;
  /** Good inputs, made of what the repository has. */
  seeds(): readonly Uint8Array[];
  /** Words that chance alone would not find. */
  dictionary?(): readonly string[];
  /** Makes ready what takes inputs, one after the other. No input may depend on those before it. */
  start(): TakeInput;
}

/** @throws what a rule is broken with. */
export type TakeInput = (input: Uint8Array) => void | Promise<void>;

/** A rule that an input broke, in words. */
export class Breach extends Error {
  override readonly name = 'Breach';
}

export function holds(isHeld: boolean, what: () => string): void {
  if (!isHeld) throw new Breach(what());
}

/**
 * Reads an input; undefined when it is refused as declared.
 * @throws what else it throws, and that is a breach.
 */
export function readOrRefused<T>(
  read: () => T,
  ...declared: readonly (abstract new (...args: never[]) => Error)[]
): T | undefined {
  try {
    return read();
  } catch (error) {
    // Errors of Node's own are of another realm than those of a suite.
    const isAny = declared.includes(Error) && isNativeError(error);
    if (isAny || declared.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}
