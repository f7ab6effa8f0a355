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

  /** `head {`, the body one step deeper, `}`. */
  block(head: Code, body: () => void): void {
    this.#lines.push(`${INDENT.repeat(this.#depth)}${head.text} {`);
    this.#depth++;
    body();
    this.#depth--;
    this.#lines.push(`${INDENT.repeat(this.#depth)}}`);
  }

  text(): string {
    return `${this.#lines.join('\n')}\n`;
  }
}
