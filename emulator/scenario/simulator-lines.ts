import { InputError } from '../../common/errors';

/** A text and the name that errors give it. */
export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** A line with something on it, cut into the fields between its spaces. */
export interface Line {
  readonly file: string;
  /** From 1. */
  readonly number: number;
  readonly fields: readonly string[];
}

/** Reads the lines of a simulator's file one after the other; empty ones are passed over. */
export class LineReader {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(private readonly file: TextFile) {
    this.#lines = file.text.replace(/^\uFEFF/, '').split(/\r?\n/);
  }

  /** @throws InputError naming what was wanted where the file ends before it. */
  next(what: string): Line {
    const line = this.#advance();
    if (line !== undefined) return line;
    throw new InputError(`${this.file.name}:${this.#lines.length}: file ends before ${what}`);
  }

  /** The lines that have not been read. */
  rest(): Line[] {
    const lines: Line[] = [];
    for (let line = this.#advance(); line !== undefined; line = this.#advance()) lines.push(line);
    return lines;
  }

  #advance(): Line | undefined {
    while (this.#at < this.#lines.length) {
      const fields = (this.#lines[this.#at++] ?? '').trim().split(/\s+/);
      if (fields[0] !== '') return { file: this.file.name, number: this.#at, fields };
    }
    return undefined;
  }
}

/** An error at a line. */
export function bad(line: Pick<Line, 'file' | 'number'>, reason: string): InputError {
  return new InputError(`${line.file}:${line.number}: ${reason}`);
}

/** The field as a whole number. @throws InputError */
export function integer(line: Line, at: number, what: string): number {
  const text = line.fields[at];
  if (text === undefined || !/^\d{1,15}$/.test(text)) {
    throw bad(line, `${what} must be a whole number, found ${text ?? 'nothing'}`);
  }
  return Number(text);
}

/** A warning about lines that begin with a number and follow what the header announced; text is a legend. */
export function leftOver(
  lines: readonly Line[],
  { count, what }: { readonly count: number; readonly what: string },
): string[] {
  const alike = lines.filter(({ fields }) => /^\d/.test(fields[0] ?? ''));
  const [first] = alike;
  if (first === undefined) return [];
  const isOne = alike.length === 1;
  const more = isOne ? '1 line follows' : `${alike.length} lines follow`;
  const announced = `the ${count} ${what}${count === 1 ? '' : 's'} that the first line announces`;
  return [
    `${first.file}:${first.number}: ${more} ${announced} and ${isOne ? 'is' : 'are'} left out, as the simulator does; ` +
      `announce ${count + alike.length} to use them`,
  ];
}
