/**
 * Input that a person or a peer can mend: a file, an option, a message. The command line prints the
 * message alone, without a stack trace, and exits with code 1.
 */
export class InputError extends Error {
  override readonly name: string = 'InputError';
}

/** What to tell of a failure: where it is no {@link InputError}, also where in the code it was. */
export function failureText(error: unknown): string {
  if (error instanceof InputError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
