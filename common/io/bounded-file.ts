import * as fs from 'node:fs';
import { InputError } from '../errors';

/** Most bytes of any document that a person writes or a program of ours has written. */
export const DOCUMENT_BYTES_MAX = 256 * 1024 * 1024;
/** Time that a pipe may take to bring a document. */
export const PIPE_MS = 10_000;
const PIPE_LOOK_MS = 10;
const CHUNK_BYTES = 65_536;

/**
 * Reads a text file, or a pipe such as `<(command)`, within bounds of bytes and time.
 * @throws InputError for what is neither, is too long, or brings nothing; or the error of the system.
 */
export function readTextFile(file: string, bytesMax = DOCUMENT_BYTES_MAX): string {
  // Without the flag, to open a pipe waits for somebody to write to it, and no signal ends that.
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    return readOpenText(fd, file, bytesMax);
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Reads a file of bytes, or a pipe, within the same bounds.
 * @throws InputError as {@link readTextFile} does.
 */
export function readBytesFile(file: string, bytesMax = DOCUMENT_BYTES_MAX): Uint8Array {
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    return readOpenBytes(fd, file, bytesMax);
  } finally {
    fs.closeSync(fd);
  }
}

/** The same of a file that is open, and was opened so that reading does not wait. */
export const readOpenText = (fd: number, file: string, bytesMax = DOCUMENT_BYTES_MAX): string =>
  readOpenBytes(fd, file, bytesMax).toString('utf8');

function readOpenBytes(fd: number, file: string, bytesMax: number): Buffer {
  const state = fs.fstatSync(fd);
  const tooLong = `${file}: is longer than the ${bytesMax} bytes that it may have`;
  if (state.isFile()) {
    if (state.size > bytesMax) throw new InputError(tooLong);
    return fs.readFileSync(fd);
  }
  if (state.isDirectory()) throw new InputError(`${file}: is a folder: wanted a file`);
  if (!state.isFIFO()) throw new InputError(`${file}: wanted a file, and this is a device`);
  return readPipe(fd, file, { bytesMax, tooLong });
}

interface PipeBounds {
  readonly bytesMax: number;
  readonly tooLong: string;
}

function readPipe(fd: number, file: string, { bytesMax, tooLong }: PipeBounds): Buffer {
  const chunks: Buffer[] = [];
  const until = performance.now() + PIPE_MS;
  let bytes = 0;
  for (;;) {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    const count = readNow(fd, chunk);
    if (count === 0 && bytes > 0) return Buffer.concat(chunks);
    bytes += count ?? 0;
    if (bytes > bytesMax) throw new InputError(tooLong);
    if ((count ?? 0) > 0) {
      chunks.push(chunk.subarray(0, count));
      continue;
    }
    if (performance.now() > until) {
      throw new InputError(
        `${file}: is a pipe that brought nothing whole within ${PIPE_MS / 1000} s`,
      );
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_LOOK_MS);
  }
}

/** Undefined where nothing is there yet. */
function readNow(fd: number, into: Buffer): number | undefined {
  try {
    return fs.readSync(fd, into);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}
