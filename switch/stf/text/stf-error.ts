import { InputError } from '../../../common/errors';

/** A test that cannot be run as it is written. The message of the error begins with its place. */
export class StfError extends InputError {
  override readonly name = 'StfError';

  constructor(
    readonly line: number,
    readonly reason: string,
    readonly file = '',
  ) {
    super(`${file === '' ? 'line ' : `${file}:`}${line}: ${reason}`);
  }

  /** The same error with the name of its file. */
  in(file: string): StfError {
    return new StfError(this.line, this.reason, file);
  }
}
