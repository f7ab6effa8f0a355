/** What `./hpcc test` did in one setting. */
export interface Outcome {
  readonly setting: string;
  readonly exitCode: number;
  readonly minutes: number;
  /** Absent when the run ended before jest had its say. */
  readonly counts?: Counts;
}

export interface Counts {
  readonly suites: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Whether jest waited for something that a test had left open. */
  readonly isLeftOpen: boolean;
}

/** Counts of tests in what jest has written, or undefined where it has written no summary. */
export function countsIn(text: string): Counts | undefined {
  const suites = /^Test Suites: .*?(\d+) total$/m.exec(text);
  const tests = /^Tests: .*$/m.exec(text);
  if (suites === null || tests === null) return undefined;
  const count = (what: string): number =>
    Number(new RegExp(`(\\d+) ${what}`).exec(tests[0])?.[1] ?? 0);
  return {
    suites: Number(suites[1]),
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    isLeftOpen: /did not exit|failed to exit gracefully/.test(text),
  };
}

export const isGood = ({ exitCode, counts }: Outcome): boolean =>
  exitCode === 0 && counts !== undefined && !counts.isLeftOpen;

const COLUMNS = ['setting', 'suites', 'passed', 'failed', 'skipped', 'minutes', ''] as const;

/** One line per setting. */
export function table(outcomes: readonly Outcome[]): string {
  const rows = [COLUMNS, ...outcomes.map(cells)];
  const widths = COLUMNS.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return rows.map((row) => `${line(row)}\n`).join('');
}

function cells(outcome: Outcome): readonly string[] {
  const { setting, minutes, counts } = outcome;
  const numbers =
    counts === undefined
      ? ['-', '-', '-', '-']
      : [counts.suites, counts.passed, counts.failed, counts.skipped].map(String);
  return [setting, ...numbers, minutes.toFixed(1), verdict(outcome)];
}

function verdict({ exitCode, counts }: Outcome): string {
  if (counts === undefined) return `ended with ${exitCode} before the tests`;
  if (counts.isLeftOpen) return 'left something open';
  return exitCode === 0 ? 'ok' : `exit code ${exitCode}`;
}
