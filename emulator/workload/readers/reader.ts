import { InputError } from '../../../common/errors';
import type { TraceInput } from '../tasks/trace';

/** A file of a trace, by the name that errors have for it. */
export interface TraceFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Facts that a file leaves open. */
export interface TraceOptions {
  /** Length of the buffers of a collective, for files that are for any length. */
  readonly bytes?: number | undefined;
}

export interface ReadTrace {
  readonly trace: TraceInput;
  /** Notes on parts that were left out. */
  readonly warnings: readonly string[];
}

/** A format of traces. */
export interface TraceReader {
  /** Name for people. */
  readonly format: string;
  /** True if files have the shape of the format, whatever they are called. */
  readonly recognises: (files: readonly TraceFile[]) => boolean;
  /** @throws InputError naming file and line, or node. */
  readonly read: (files: readonly TraceFile[], options: TraceOptions) => ReadTrace;
}

/** Files of a trace as errors name them: the first ones, and how many more there are. */
export function namesOf(files: readonly TraceFile[]): string {
  const names = files.slice(0, 3).map(({ name }) => name);
  const more = files.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

/** Beginning of a file as text: enough to see what it is. */
const HEAD_BYTES = 4096;

export const headOf = ({ bytes }: TraceFile): string =>
  new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES));

export const textOf = ({ bytes }: TraceFile): string => new TextDecoder().decode(bytes);

/**
 * The only file of a format that has one.
 * @throws InputError for more.
 */
export function onlyFile(files: readonly TraceFile[], format: string): TraceFile {
  const [file, ...more] = files;
  if (file !== undefined && more.length === 0) return file;
  throw new InputError(`${format} is one file, found ${files.length}`);
}

/** @throws InputError where a length is given that the file says itself. */
export function refuseBytes({ bytes }: TraceOptions, { name }: TraceFile): void {
  if (bytes === undefined) return;
  throw new InputError(`${name}: the file says how long its messages are: leave out the length`);
}

/** A whole number that is not negative. @throws InputError */
export function wholeNumber(text: string | undefined, where: string): number {
  if (text !== undefined && /^\d+$/.test(text) && Number.isSafeInteger(Number(text)))
    return Number(text);
  throw new InputError(
    `${where}: wanted a whole number, found ${text === undefined ? 'nothing' : `'${text}'`}`,
  );
}

/**
 * Files of ranks in their order, by the last number of each name.
 * @throws InputError where ranks are missing, or there twice.
 */
export function filesByRank(files: readonly TraceFile[]): TraceFile[] {
  const byRank = new Map<number, TraceFile>();
  for (const file of files) {
    const digits = /(\d+)(?:\.[A-Za-z]+)?$/.exec(file.name)?.[1];
    const rank = files.length === 1 ? 0 : Number(digits);
    const other = byRank.get(rank);
    if (digits === undefined && files.length > 1) {
      throw new InputError(
        `${file.name}: wanted the number of a rank in the name, as in trace.0.et`,
      );
    }
    if (other !== undefined)
      throw new InputError(`${other.name} and ${file.name} are both of rank ${rank}`);
    byRank.set(rank, file);
  }
  return Array.from({ length: files.length }, (_, rank) => {
    const file = byRank.get(rank);
    if (file !== undefined) return file;
    throw new InputError(`there are ${files.length} traces, but none of rank ${rank}`);
  });
}
