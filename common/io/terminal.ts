import { printable } from '../printable';
import { isOfWords } from '../words-column';

/** Writes a line for the user's eyes and pipes. */
export function print(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

/** Writes a line that is not part of the output. */
export function note(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/** Characters from which a row's last cell is a sentence. */
const SENTENCE = 48;

/**
 * Rows of cells with aligned columns: numbers to the right, words and the first column to the left. A sentence at a
 * row's end begins where its column does, and widens nothing.
 */
export function alignedTable(rows: readonly (readonly string[])[]): string {
  const isSentence = (row: readonly string[], i: number): boolean =>
    i > 0 && i === row.length - 1 && (row[i]?.length ?? 0) > SENTENCE;
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, isSentence(row, i) ? 0 : cell.length);
    });
  }
  const isLeft = widths.map(
    (_, i) => i === 0 || isOfWords(rows.slice(1).map((row) => row[i] ?? '')),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) =>
        isLeft[i] === true ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}

export interface Progress {
  /** @param detail what stands behind the percentage. */
  update(fraction: number, detail?: string): void;
  stop(): void;
}

/** A bar on standard error where that is a terminal, and nothing elsewhere. */
export function progressBar(label: string): Progress {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- PERF: loaded by who shows one
  const { SingleBar } = require('cli-progress') as typeof import('cli-progress');
  const bar = new SingleBar({
    format: `${printable(label)} {bar} {percentage} % {detail}`,
    noTTYOutput: false,
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  });
  bar.start(100, 0, { detail: '' });
  return {
    update: (fraction, detail = '') =>
      bar.update(Math.floor(fraction * 100), { detail: printable(detail) }),
    stop: () => bar.stop(),
  };
}
