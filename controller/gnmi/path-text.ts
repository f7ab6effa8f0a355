import { InputError } from '../../common/errors';

/** Reads the text of a path from left to right; a backslash makes the next character an ordinary one. */
export class PathText {
  private offset = 0;

  constructor(private readonly text: string) {}

  /** The next character, or the empty text at the end. */
  get next(): string {
    return this.text.charAt(this.offset);
  }

  /** The text that has not been read. */
  get rest(): string {
    return this.text.slice(this.offset);
  }

  /** Everything up to the first of the stops that no backslash precedes, or to the end. */
  word(stops: string): string {
    let word = '';
    while (this.next !== '' && !stops.includes(this.next)) {
      if (this.next === '\\') this.offset++;
      if (this.next === '') throw this.fault('a character behind the backslash');
      word += this.next;
      this.offset++;
    }
    return word;
  }

  /** Likewise, and the word must not be empty. @throws InputError naming what was wanted. */
  name(stops: string, what: string): string {
    const word = this.word(stops);
    if (word === '') throw this.fault(what);
    return word;
  }

  /** Steps over a character, if it is the next. */
  skip(character: string): boolean {
    if (this.next !== character) return false;
    this.offset++;
    return true;
  }

  /** Steps over a character. @throws InputError when another is next. */
  expect(character: string): void {
    if (!this.skip(character)) throw this.fault(`'${character}'`);
  }

  /** The error that names what was wanted here. */
  fault(wanted: string): InputError {
    const found = this.next === '' ? 'the end' : `'${this.next}'`;
    return new InputError(
      `gNMI path '${this.text}': wanted ${wanted} at offset ${this.offset}, found ${found}`,
    );
  }
}

/** Puts a backslash before each backslash and each of the given characters. */
export function escaped(word: string, special: string): string {
  const marked = (each: string): string => (`\\${special}`.includes(each) ? `\\${each}` : each);
  return Array.from(word, marked).join('');
}
