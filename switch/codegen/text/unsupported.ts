/**
 * The program uses something that the generator does not say in JavaScript; the interpreter runs
 * it instead.
 */
export class UnsupportedConstructError extends Error {
  override readonly name = 'UnsupportedConstructError';
}

/** @throws UnsupportedConstructError always. */
export function unsupported(construct: string): never {
  throw new UnsupportedConstructError(`code is not generated for ${construct}`);
}
