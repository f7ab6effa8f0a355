import * as fs from 'node:fs';

/** From the least to the most important; `off` lets nothing through. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'off'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const isLogLevel = (text: string): text is LogLevel =>
  (LOG_LEVELS as readonly string[]).includes(text);

export interface LogOptions {
  readonly level: LogLevel;
  readonly console: boolean;
  /** bmv2 appends ".txt" to the name it is given, and so does this switch. */
  readonly file: string | undefined;
}

/** Lines of the form `[time] [level] text`, to standard output, a file, or both. */
export class Log {
  readonly #rank: number;
  readonly #console: boolean;
  readonly #fd: number | undefined;
  #lost = 0;

  /** @throws Error of the system when the file cannot be written. */
  constructor({ level, console, file }: LogOptions) {
    this.#rank = LOG_LEVELS.indexOf(level);
    this.#console = console;
    this.#fd = file === undefined ? undefined : fs.openSync(`${file}.txt`, 'a');
  }

  write(level: Exclude<LogLevel, 'off'>, text: string): void {
    if (LOG_LEVELS.indexOf(level) < this.#rank) return;
    if (!this.#console && this.#fd === undefined) return;
    const line = `[${new Date().toISOString().slice(11, 23)}] [${level}] ${text}\n`;
    if (this.#console) process.stdout.write(line);
    if (this.#fd !== undefined) this.#append(this.#fd, line);
  }

  /** A full disk costs lines of the log, and nothing else. */
  #append(fd: number, line: string): void {
    try {
      if (this.#lost > 0) fs.writeSync(fd, `${this.#lost} lines are missing here\n`);
      this.#lost = 0;
      fs.writeSync(fd, line);
    } catch {
      this.#lost += 1;
    }
  }

  close(): void {
    if (this.#fd !== undefined) fs.closeSync(this.#fd);
  }
}
