/**
 * Input that a person or a peer can mend: a file, an option, a message. The command line prints the
 * message alone, without a stack trace, and exits with code 1.
 */
export class InputError extends Error {
  override readonly name: string = 'InputError';
}

/** Does what reads an input; errors about it begin with its place, such as a file. */
export function withPlace<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw placed(place, error);
  }
}

/** An error that begins with a place, if it is about an input; any other one as it is. */
export const placed = (place: string, error: unknown): unknown =>
  error instanceof InputError ? new InputError(`${place}: ${error.message}`) : error;

/** An error of the operating system: its code, the system call and its subject. */
interface SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path?: string;
}

/** True if the user can fix the cause: a wrong input or a refusal of the system, not a bug. */
export function isOperationalError(error: unknown): error is Error {
  return error instanceof InputError || isSystemError(error);
}

/** Text of a failure for the terminal; for a bug it includes the stack trace. */
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
