import type { DestinationStream, Logger } from 'pino';
import { InputError } from '../errors';
import { LOG_LEVELS } from '../log-levels';
import type { LogLevel } from '../log-levels';
import { OWN_PROCESS } from './environment';
import type { Environment } from './environment';

export const isLogLevel = (text: string): text is LogLevel =>
  (LOG_LEVELS as readonly string[]).includes(text);

/** Bytes that wait for a disk or a reader; more are dropped. */
export const LOG_BYTES_WAITING = 1 << 20;

export interface LogOptions {
  readonly level: LogLevel;
  /** 1 for standard output, 2 for standard error. */
  readonly console?: 1 | 2 | undefined;
  /** Lines are appended to it. */
  readonly file?: string | undefined;
}

/** Target of a process's log: standard error, unless a file is given. */
export interface LogChoice {
  readonly logLevel: LogLevel;
  readonly logFile?: string | undefined;
}

export const processLog = ({ logLevel: level, logFile: file }: LogChoice): LogOptions =>
  file === undefined ? { level, console: 2 } : { level, file };

/** Takes lines of each level. */
export type Log = Pick<Logger, Exclude<LogLevel, 'off'>>;

/** A log that must be closed if it has a file. */
export interface OpenLog {
  readonly log: Log;
  readonly close: () => void;
}

/**
 * The log of a process: a line of JSON per event, with `level`, `time` (ISO 8601), `name` and `pid`,
 * what the event is about, and `msg`. Each line is written at once. A log whose disk is full, or whose
 * reader has gone, is no reason to stop what it is about: lines that cannot be written are dropped.
 *
 * @throws InputError when the file cannot be written.
 */
export function openLog(
  name: string,
  { level, console, file }: LogOptions,
  environment: Environment = OWN_PROCESS,
): OpenLog {
  const outputs = [
    ...(console === undefined ? [] : [consoleOutput(console, environment)]),
    ...(file === undefined ? [] : [fileOutput(file)]),
  ];
  if (outputs.length === 0) return { log: SILENT, close: nothing };
  const { pino } = library();
  const log = pino(
    {
      level: level === 'off' ? 'silent' : level,
      base: { name, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.multistream(outputs.map((stream) => ({ stream, level: 'trace' as const }))),
  );
  return { log, close: () => outputs.forEach((each) => each.end()) };
}

/** PERF: a switch that keeps no log is spared a tenth of what it loads. */
const library = (): typeof import('pino') =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- PERF: an import would be loaded before
  require('pino') as typeof import('pino');

const nothing = (): void => undefined;
const SILENT: Log = {
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};

type Output = DestinationStream & { end(): void };

function consoleOutput(stream: 1 | 2, environment: Environment): Output {
  if (!environment.isShared) return output(stream);
  return { write: (line) => environment.write(stream, line), end: () => undefined };
}

function output(destination: number | string): Output {
  const stream = library().pino.destination({
    dest: destination,
    append: true,
    sync: true,
    maxLength: LOG_BYTES_WAITING,
  });
  stream.on('error', () => undefined);
  if (typeof destination === 'string') {
    return { write: (line) => stream.write(line), end: () => endOf(stream) };
  }
  // Standard output and error are not ours to close.
  return { write: (line) => stream.write(line), end: () => undefined };
}

/** Lines that a full disk refuses to the last keep no descriptor. */
function endOf(
  stream: ReturnType<typeof import('pino').pino.destination> & { readonly destroyed?: boolean },
): void {
  stream.end();
  if (stream.destroyed !== true) stream.destroy();
}

function fileOutput(file: string): Output {
  try {
    return output(file);
  } catch (error) {
    throw new InputError(`--log-file ${file}: ${(error as Error).message}`);
  }
}
