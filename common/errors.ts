/**
 * Input that a person or a peer can mend: a file, an option, a message. The command line prints the
 * message alone, without a stack trace, and exits with code 1.
 */
export class InputError extends Error {
  override readonly name: string = 'InputError';
}

/** What the system refuses: which call, what it was about, and why. */
interface SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path?: string;
}

/** Whether whoever runs the program can do something about it: it is no fault of the program. */
export function isMendable(error: unknown): error is Error {
  return error instanceof InputError || isSystemError(error);
}

/** What to tell of a failure: where nobody but a programmer can mend it, also where in the code it was. */
export function failureText(error: unknown): string {
  if (error instanceof InputError) return error.message;
  if (isSystemError(error)) return systemFailureText(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function isSystemError(error: unknown): error is SystemError {
  const { code, syscall, message } = (error ?? {}) as Partial<SystemError>;
  return [code, syscall, message].every((part) => typeof part === 'string');
}

/** `cannot mkdir /proc/out: no such file or directory (ENOENT)` */
function systemFailureText({ message, code, syscall, path }: SystemError): string {
  const reason = /^[A-Z\d]+: ([^,]*)/.exec(message)?.[1];
  if (path === undefined || reason === undefined) return message;
  return `cannot ${syscall} ${path}: ${reason} (${code})`;
}
