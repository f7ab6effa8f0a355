import { InputError } from '../../../common/errors';
import { libc } from '../../../common/io/net/libc';
import type { ConnectionKey } from '../../tcp/connection-key';
import { CONNECTIONS_MAX } from '../../tcp/tc-commands';
import { WINDOW_KEY_BYTES, windowKey, windowProgram } from '../../tcp/window-program';
import { WINDOW_VALUE_BYTES, windowValue } from '../../tcp/window-program';
import { attachAtIngress, BpfMap, loadProgram } from './bpf';

const COUNTER_KEY = new Uint8Array(4);

/**
 * Lowers the window in acknowledgements before the kernel's TCP sees them. The kernel takes the
 * program away when this process ends, however it ends.
 */
export class WindowRewriter {
  readonly #limits: BpfMap;
  readonly #counter: BpfMap;
  readonly #fds: readonly number[];

  /** @throws InputError when the kernel is too old, or the right is missing. */
  constructor(interfaceName: string) {
    const maps: BpfMap[] = [];
    const fds: number[] = [];
    try {
      const limits = { keyBytes: WINDOW_KEY_BYTES, valueBytes: WINDOW_VALUE_BYTES };
      maps.push(new BpfMap({ kind: 'hash', ...limits, entriesMax: CONNECTIONS_MAX }));
      maps.push(new BpfMap({ kind: 'array', keyBytes: 4, valueBytes: 8, entriesMax: 1 }));
      [this.#limits, this.#counter] = maps as [BpfMap, BpfMap];
      fds.push(loadProgram(windowProgram(this.#limits.fd, this.#counter.fd)));
      fds.push(attachAtIngress(fds[0] ?? -1, interfaceName));
    } catch (error) {
      fds.forEach((fd) => libc().close(fd));
      maps.forEach((map) => map.close());
      const reason = (error as Error).message;
      throw new InputError(`--rewrite-window on ${interfaceName}: ${reason}`);
    }
    this.#fds = fds;
  }

  get programFd(): number {
    return this.#fds[0] ?? -1;
  }

  /** Windows that were lowered so far. */
  get lowered(): number {
    const bytes = this.#counter.get(COUNTER_KEY);
    return Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  }

  limit(key: ConnectionKey, field: number): void {
    this.#limits.set(windowKey(key), windowValue(field));
  }

  release(key: ConnectionKey): void {
    this.#limits.delete(windowKey(key));
  }

  close(): void {
    [...this.#fds].reverse().forEach((fd) => libc().close(fd));
    this.#limits.close();
    this.#counter.close();
  }
}
