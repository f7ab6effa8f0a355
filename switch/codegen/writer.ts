import type { Code } from './code';

const INDENT = '  ';

/** Lines of generated code with indentation. */
export class Writer {
  readonly #lines: string[] = [];
  #depth = 0;

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
    this.#lines.push(`${INDENT.repeat(this.#depth)}${head.text} {`);
    this.#depth++;
    body();
    this.#depth--;
    this.#lines.push(`${INDENT.repeat(this.#depth)}}${tail}`);
  }

  /** Takes over the lines of another writer. */
  append(other: Writer): void {
    for (const line of other.#lines) {
      this.#lines.push(line === '' ? '' : INDENT.repeat(this.#depth) + line);
    }
  }

  /** Whether a line uses the variable of that name. */
  mentions(name: string): boolean {
    const variable = new RegExp(`(?<![.\\w$])${name}(?![\\w$])`);
    return this.#lines.some((line) => variable.test(line));
  }

  text(): string {
    return `${this.#lines.join('\n')}\n`;
  }
}
