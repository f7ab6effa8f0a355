import { isSimulated } from './descriptors';
import type { Descriptor } from './descriptors';
import { systemError } from './errno';
import { replaced } from './globals';
import type { System } from './system';

/** Whatever lies here is on the simulated disk. */
export const DISK = '/simulated';

/** A full disk is emptied after so long at most, in ns. */
const FULL_NS = 400e6;
/** Time that the disk takes to answer, in ns. */
const DISK_NS = 50_000;

class OpenFile implements Descriptor {
  readonly kind = 'file';
  readonly isReadable = false;
  constructor(readonly path: string) {}
  close(): void {
    // Data that was written stays.
  }
}

type Data = string | Uint8Array;

/** The simulated disk: whole files by their path, and the calls of Node that reach them. */
export class Files {
  readonly #contents = new Map<string, Buffer[]>();
  readonly #changedAt = new Map<string, number>();
  readonly #system: System;

  constructor(system: System) {
    this.#system = system;
  }

  read(path: string): Buffer {
    const pieces = this.#contents.get(path);
    if (pieces === undefined) throw systemError('ENOENT', 'open', path);
    return Buffer.concat(pieces);
  }

  write(path: string, text: string): void {
    this.#contents.set(path, [Buffer.from(text)]);
    this.#changedAt.set(path, this.#system.wallMs());
  }

  get paths(): readonly string[] {
    return [...this.#contents.keys()];
  }

  stat(path: string): { mtimeMs: number; size: number } {
    return { mtimeMs: this.#changedAt.get(path) ?? 0, size: this.read(path).length };
  }

  open(path: string, flags: string): number {
    const { descriptors, faults, machine, trace } = this.#system;
    machine.call();
    if (faults.strikesFor('enospc', FULL_NS)) throw systemError('ENOSPC', 'open', path);
    const fd = descriptors.add(new OpenFile(path));
    if (fd === undefined) throw systemError('EMFILE', 'open', path);
    if (flags.startsWith('w') || !this.#contents.has(path)) this.#contents.set(path, []);
    trace.note('disk', `${path} is opened`);
    return fd;
  }

  append(fd: number, data: Data): number {
    const { descriptors, faults, machine } = this.#system;
    machine.call();
    const file = descriptors.get(fd);
    if (!(file instanceof OpenFile)) throw systemError('EBADF', 'write');
    const bytes = Buffer.from(data as string);
    if (faults.strikesFor('enospc', FULL_NS)) throw systemError('ENOSPC', 'write');
    const isShort = bytes.length > 1 && faults.strikes('short-write');
    const written = isShort ? bytes.subarray(0, 1 + faults.below(bytes.length - 1)) : bytes;
    this.#contents.get(file.path)?.push(Buffer.from(written));
    return written.length;
  }

  close(fd: number): void {
    this.#system.machine.call();
    this.#system.descriptors.close(fd);
  }

  /** Lets Node's own functions reach this disk. @returns what takes that back. */
  standIn(): () => void {
    const undo = [...this.#synchronous(), ...this.#promised()];
    return () => undo.forEach((each) => each());
  }

  #synchronous(): (() => void)[] {
    const fs = process.getBuiltinModule('node:fs');
    const { openSync, writeSync, writevSync, closeSync, close } = fs;
    const whole = (pieces: readonly Uint8Array[]): Buffer => Buffer.concat([...pieces]);
    return [
      replaced(fs, 'openSync', (path: string, flags = 'r', mode?: number) =>
        path.startsWith(DISK) ? this.open(path, flags) : openSync(path, flags, mode),
      ),
      replaced(fs, 'writeSync', (fd: number, data: Data, ...rest: [number]) =>
        isSimulated(fd)
          ? this.append(fd, typeof data === 'string' ? data : data.subarray(rest[0] ?? 0))
          : writeSync(fd, data as string, ...rest),
      ),
      replaced(fs, 'writevSync', (fd: number, pieces: readonly Uint8Array[]) =>
        isSimulated(fd) ? this.append(fd, whole(pieces)) : writevSync(fd, [...pieces]),
      ),
      replaced(fs, 'closeSync', (fd: number) => (isSimulated(fd) ? this.close(fd) : closeSync(fd))),
      replaced(fs, 'close', (fd: number, done: () => void) => {
        if (!isSimulated(fd)) {
          close(fd, done);
          return;
        }
        this.close(fd);
        this.#system.machine.taskIn(DISK_NS, () => done());
      }),
      // Only data that was synced counts as on the disk.
      replaced(fs, 'fsync', (_fd: number, done: () => void) => {
        this.#system.machine.taskIn(DISK_NS, () => done());
      }),
      replaced(fs, 'fsyncSync', () => undefined),
    ];
  }

  #promised(): (() => void)[] {
    const fs = process.getBuiltinModule('node:fs');
    const promises = process.getBuiltinModule('node:fs/promises');
    const slowly = <T>(act: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        this.#system.machine.taskIn(DISK_NS, () => {
          try {
            resolve(act());
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
      });
    const { readFileSync } = fs;
    return [
      replaced(promises, 'readFile', (path: string, encoding?: BufferEncoding) =>
        slowly(() => {
          const bytes = path.startsWith(DISK) ? this.read(path) : readFileSync(path);
          return encoding === undefined ? bytes : bytes.toString(encoding);
        }),
      ),
      replaced(promises, 'stat', (path: string) => slowly(() => this.stat(path))),
      replaced(promises, 'writeFile', (path: string, text: string) =>
        slowly(() => this.write(path, text)),
      ),
    ];
  }
}
