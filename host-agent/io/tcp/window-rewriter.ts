import { InputError } from '../../../common/errors';
import { libc } from '../../../common/io/net/libc';
import type { ConnectionKey } from '../../tcp/connection-key';
import { CONNECTIONS_MAX } from '../../tcp/tc-commands';
import { WINDOW_KEY_BYTES, windowKey, windowProgram } from '../../tcp/window-program';
import { WINDOW_VALUE_BYTES, windowValue } from '../../tcp/window-program';
import { attachAtIngress, BpfMap, loadProgram } from './bpf';

const FIRST_KEY = new Uint8Array(4);
/** Time after the last sign of life from which on windows are left alone, in ms. */
const LAPSE_MS = 1000;

/**
 * Lowers the window in acknowledgements before the kernel's TCP sees them. The kernel takes the
 * program away when this process ends, however it ends, and the program does nothing while this process stands still.
 */
export class WindowRewriter {
  readonly #limits: BpfMap;
  readonly #counter: BpfMap;
  readonly #deadline: BpfMap;
  readonly #fds: readonly number[];

  /** @throws InputError when the kernel is too old, or the right is missing. */
  constructor(interfaceName: string) {
    const maps: BpfMap[] = [];
    const fds: number[] = [];
    try {
      const limits = { keyBytes: WINDOW_KEY_BYTES, valueBytes: WINDOW_VALUE_BYTES };
      maps.push(new BpfMap({ kind: 'hash', ...limits, entriesMax: CONNECTIONS_MAX }));
      const number = { kind: 'array', keyBytes: 4, valueBytes: 8, entriesMax: 1 } as const;
      maps.push(new BpfMap(number), new BpfMap(number));
      const [limitMap, counter, deadline] = maps as [BpfMap, BpfMap, BpfMap];
      [this.#limits, this.#counter, this.#deadline] = [limitMap, counter, deadline];
      const own = { limits: limitMap.fd, counter: counter.fd, deadline: deadline.fd };
      fds.push(loadProgram(windowProgram(own)));
      fds.push(attachAtIngress(fds[0] ?? -1, interfaceName));
    } catch (error) {
      fds.forEach((fd) => libc().close(fd));
      maps.forEach((map) => map.close());
      const reason = (error as Error).message;
      throw new InputError(`--rewrite-window on ${interfaceName}: ${reason}`);
    }
    this.#fds = fds;
    this.beat();
  }

  /** Says that this process lives; without another one within a second, windows are left alone. */
  beat(lapseMs = LAPSE_MS): void {
    const deadline = process.hrtime.bigint() + BigInt(lapseMs) * 1_000_000n;
    this.#deadline.set(FIRST_KEY, new Uint8Array(new BigUint64Array([deadline]).buffer));
  }

  get programFd(): number {
    return this.#fds[0] ?? -1;
  }

  /** Windows that were lowered so far. */
  get lowered(): number {
    const bytes = this.#counter.get(FIRST_KEY);
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
    this.#deadline.close();
  }
}
