/**
 * Input that a person or a peer can mend: a file, an option, a message. The command line prints the
 * message alone, without a stack trace, and exits with code 1.
 */
export class InputError extends Error {
  override readonly name: string = 'InputError';
}
