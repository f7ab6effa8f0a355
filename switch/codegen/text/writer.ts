import type { Code } from './code';

const INDENT = '  ';
/** Names with what is read of them, and numbers. PERF: looking back for a point takes twice as long. */
const PATHS = /[\w$.]+/g;
const NAME = /^[A-Za-z_$][\w$]*/;

/** Lines of generated code with indentation. */
export class Writer {
  #lines: string[] = [];
  #depth = 0;

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  line(code: Code): void {
    this.#lines.push(INDENT.repeat(this.#depth) + code.text);
  }

  /** One line, however many the text has. */
  comment(text: string): void {
    this.#lines.push(`${INDENT.repeat(this.#depth)}// ${text.replace(/\s+/g, ' ')}`);
  }

  blank(): void {
    this.#lines.push('');
  }

  /** `head {`, the body one step deeper, `}` and the tail. */
  block(head: Code, body: () => void, tail = ''): void {
    this.#lines.push(`${INDENT.repeat(this.#depth)}${`${head.text} {`.trimStart()}`);
    this.#depth++;
    body();
    this.#depth--;
    this.#lines.push(`${INDENT.repeat(this.#depth)}}${tail}`);
  }

  /** Returns the text that the body writes, in a writer of its own. */
  captured(body: () => void): Writer {
    const captured = new Writer();
    const [lines, depth] = [this.#lines, this.#depth];
    [this.#lines, this.#depth] = [captured.#lines, 0];
    body();
    [this.#lines, this.#depth] = [lines, depth];
    return captured;
  }

  /** Takes over the lines of another writer. */
  append(other: Writer): void {
    for (const line of other.#lines) {
      this.#lines.push(line === '' ? '' : INDENT.repeat(this.#depth) + line);
    }
  }

  /** The names of variables that lines use; words of comments and texts are among them. */
  variables(): Set<string> {
    const paths = new Set(this.#lines.join('\n').match(PATHS) ?? []);
    return new Set([...paths].flatMap((path) => NAME.exec(path) ?? []));
  }

  text(): string {
    return `${this.#lines.join('\n')}\n`;
  }
}
