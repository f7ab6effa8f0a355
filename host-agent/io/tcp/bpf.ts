import { InputError } from '../../../common/errors';
import { anonymousMemory, libc } from '../../../common/io/net/libc';
import type { SharedMemory } from '../../../common/io/net/libc';

/** Commands of bpf(2). */
const MAP_CREATE = 0;
const MAP_LOOKUP = 1;
const MAP_UPDATE = 2;
const MAP_DELETE = 3;
const PROGRAM_LOAD = 5;
const LINK_CREATE = 28;

const MAP_KINDS = { hash: 1, array: 2 } as const;
const PROGRAM_SCHED_CLS = 3;
const ATTACH_TCX_INGRESS = 46;
const ATTRIBUTE_BYTES = 128;
const LOG_BYTES = 65_536;
const INSTRUCTION_BYTES = 8;

/** A table that a program of the kernel and this process share. */
export class BpfMap {
  readonly fd: number;
  readonly #key: SharedMemory;
  readonly #value: SharedMemory;

  /** @throws InputError when the kernel or the rights do not allow it. */
  constructor(shape: {
    readonly kind: keyof typeof MAP_KINDS;
    readonly keyBytes: number;
    readonly valueBytes: number;
    readonly entriesMax: number;
  }) {
    const { kind, keyBytes, valueBytes, entriesMax } = shape;
    const fields = [MAP_KINDS[kind], keyBytes, valueBytes, entriesMax];
    this.fd = call(MAP_CREATE, 'making a map', (view) =>
      fields.forEach((value, i) => view.setUint32(4 * i, value, true)),
    );
    this.#key = anonymousMemory(keyBytes);
    this.#value = anonymousMemory(valueBytes);
  }

  set(key: Uint8Array, value: Uint8Array): void {
    this.#value.bytes.set(value);
    this.#access(MAP_UPDATE, key);
  }

  delete(key: Uint8Array): void {
    this.#access(MAP_DELETE, key);
  }

  /** The bytes are valid until the next call. */
  get(key: Uint8Array): Uint8Array {
    this.#access(MAP_LOOKUP, key);
    return this.#value.bytes;
  }

  close(): void {
    libc().close(this.fd);
    this.#key.release();
    this.#value.release();
  }

  #access(command: number, key: Uint8Array): void {
    this.#key.bytes.set(key);
    call(command, 'using a map', (view) => {
      view.setUint32(0, this.fd, true);
      view.setBigUint64(8, this.#key.address, true);
      if (command !== MAP_DELETE) view.setBigUint64(16, this.#value.address, true);
    });
  }
}

/**
 * Loads a program for packets, which the kernel checks before.
 * @throws InputError with the last of what the check says.
 */
export function loadProgram(program: Uint8Array): number {
  const code = copied(program);
  const licence = copied(new TextEncoder().encode('Apache-2.0\0'));
  const log = anonymousMemory(LOG_BYTES);
  try {
    return call(PROGRAM_LOAD, 'loading a program', (view) => {
      view.setUint32(0, PROGRAM_SCHED_CLS, true);
      view.setUint32(4, program.length / INSTRUCTION_BYTES, true);
      view.setBigUint64(8, code.address, true);
      view.setBigUint64(16, licence.address, true);
      view.setUint32(24, 1, true);
      view.setUint32(28, LOG_BYTES, true);
      view.setBigUint64(32, log.address, true);
      view.setUint32(68, ATTACH_TCX_INGRESS, true);
    });
  } catch (error) {
    const text = new TextDecoder().decode(log.bytes.subarray(0, log.bytes.indexOf(0)));
    const tail = text.trim().split('\n').slice(-2).join('; ');
    throw new InputError(`${(error as Error).message}${tail === '' ? '' : `: ${tail}`}`);
  } finally {
    for (const memory of [code, licence, log]) memory.release();
  }
}

/**
 * Lets a program see what arrives at an interface, for as long as this process holds the descriptor.
 * @returns the descriptor.
 * @throws InputError when the kernel is older than 6.6.
 */
export function attachAtIngress(programFd: number, interfaceName: string): number {
  const index = libc().if_nametoindex(interfaceName);
  return call(LINK_CREATE, 'attaching to the ingress (needs Linux 6.6 or later)', (view) => {
    view.setUint32(0, programFd, true);
    view.setUint32(4, index, true);
    view.setUint32(8, ATTACH_TCX_INGRESS, true);
  });
}

function copied(bytes: Uint8Array): SharedMemory {
  const memory = anonymousMemory(bytes.length);
  memory.bytes.set(bytes);
  return memory;
}

function call(command: number, purpose: string, fill: (view: DataView) => void): number {
  const attributes = new Uint8Array(ATTRIBUTE_BYTES);
  fill(new DataView(attributes.buffer));
  const result = libc().bpf(command, attributes, attributes.length);
  if (result >= 0) return result;
  const reason = libc().strerror(libc().errno());
  throw new InputError(`eBPF, ${purpose}: ${reason}`);
}
