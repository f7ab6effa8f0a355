/**
 * States what the programmer relies on. A failure is a defect of this project, never of its input:
 * bad input gets an error class of its own.
 */
export function assert(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(`Internal error: ${sentence}`);
}

/** Marks a `switch` as exhaustive; adding a variant then breaks compilation. */
export function unreachable(value: never): never {
  throw new Error(`Internal error: unexpected variant ${JSON.stringify(value)}`);
}
