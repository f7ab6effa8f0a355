import { libc, checked } from '../../../common/io/net/libc';
import type { BitsPerSecond } from '../../../common/units/units';
import type { ConnectionKey } from '../../tcp/connection-key';
import { hasInterception, judgeQdiscs } from '../../tcp/qdisc-state';
import { INTERCEPTION_PREFERENCE, ROOT_HANDLE } from '../../tcp/tc-commands';
import { ingressCommands, interceptionCommands, openCommands } from '../../tcp/tc-commands';
import { rateCommand, removeCommand, rootCommands } from '../../tcp/tc-commands';
import { trialCommands, unfilterCommand } from '../../tcp/tc-commands';
import type { Device } from '../../tcp/tc-commands';
import { tc, tcBatch, TcPipe } from './tc';
import { InputError } from '../../../common/errors';

/** Time that packets of a class that is removed may take to leave, in ms. */
const DRAIN_MS = 100;
/** A class that goes lets everything out at once. */
const DRAIN_RATE: BitsPerSecond = 40e9;

export interface ShaperOptions {
  readonly device: Device;
  /** True if classes are needed; without them telemetry is intercepted only. */
  readonly shapes: boolean;
  readonly onError: (line: string) => void;
}

/**
 * The classes of connections in front of an interface, and what keeps telemetry from the kernel's TCP
 * behind it. All of it goes when this process does.
 */
export class Shaper {
  readonly #device: Device;
  readonly #pipe: TcPipe;
  readonly #lockFd: number;
  readonly #removals = new Set<NodeJS.Timeout>();
  /** Commands in the order of the calls; written together. */
  #waiting: string[] = [];

  private constructor(device: Device, pipe: TcPipe, lockFd: number) {
    this.#device = device;
    this.#pipe = pipe;
    this.#lockFd = lockFd;
  }

  /** @throws InputError when the interface is in use, or the right or something of the kernel misses. */
  static async open({ device, shapes, onError }: ShaperOptions): Promise<Shaper> {
    const lockFd = await lockInterface(device.name);
    try {
      const ownsIngress = prepare(device, shapes);
      const pipe = new TcPipe({ device: device.name, ownsIngress, lockFd, onError });
      return new Shaper(device, pipe, lockFd);
    } catch (error) {
      libc().close(lockFd);
      throw error;
    }
  }

  get counters() {
    return { tcCommands: this.#pipe.commands, tcErrors: this.#pipe.errors };
  }

  /** Resolves when the tc behind it has gone, and all classes with it. */
  get lost(): Promise<void> {
    return this.#pipe.lost;
  }

  openClass(key: ConnectionKey, classId: number, rate: BitsPerSecond): void {
    this.#waiting.push(...openCommands(this.#device, key, { classId, rate }));
  }

  setRate(classId: number, rate: BitsPerSecond): void {
    this.#waiting.push(rateCommand(this.#device, { classId, rate }));
  }

  /** Ends a class after the packets that wait in it have left. */
  closeClass(key: ConnectionKey, classId: number): void {
    this.#waiting.push(
      rateCommand(this.#device, { classId, rate: DRAIN_RATE }),
      unfilterCommand(this.#device, key, classId),
    );
    const timer = setTimeout(() => {
      this.#removals.delete(timer);
      this.#pipe.write([removeCommand(this.#device, classId)]);
    }, DRAIN_MS);
    this.#removals.add(timer);
  }

  flush(): void {
    if (this.#waiting.length === 0) return;
    this.#pipe.write(this.#waiting);
    this.#waiting = [];
  }

  /** Resolves when the interface is as it was found. */
  async close(): Promise<void> {
    this.flush();
    const mustDrain = this.#removals.size > 0;
    for (const timer of this.#removals) clearTimeout(timer);
    if (mustDrain) await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
    await this.#pipe.end();
    libc().close(this.#lockFd);
  }
}

/** Returns whether the place for filters at the ingress was made here. */
function prepare(device: Device, shapes: boolean): boolean {
  const { name } = device;
  const state = judgeQdiscs(name, tc('-json', 'qdisc', 'show', 'dev', name));
  if (state.hasOwnRoot) tc('qdisc', 'del', 'dev', name, 'root', 'handle', ROOT_HANDLE);
  const isLeftBehind =
    state.hasIngress && hasInterception(tc('filter', 'show', 'dev', name, 'ingress'));
  if (isLeftBehind) {
    tc('filter', 'del', 'dev', name, 'ingress', 'prio', String(INTERCEPTION_PREFERENCE));
  }
  const ingress = [
    ...(state.hasIngress ? [] : ingressCommands(device)),
    ...interceptionCommands(device),
  ];
  tcBatch(ingress, `intercepting telemetry on ${name} (needs root or CAP_NET_ADMIN)`);
  try {
    const root = shapes ? [...rootCommands(device), ...trialCommands(device)] : [];
    if (shapes) tcBatch(root, `setting up classes on ${name} (needs HTB, TBF and u32)`);
  } catch (error) {
    removeAll(name, !state.hasIngress);
    throw error;
  }
  return !state.hasIngress || isLeftBehind;
}

/** Nothing of a set-up that failed half-way stays. */
function removeAll(name: string, ownsIngress: boolean): void {
  const tries = [
    () => tc('qdisc', 'del', 'dev', name, 'root', 'handle', ROOT_HANDLE),
    () => tc('filter', 'del', 'dev', name, 'ingress', 'prio', String(INTERCEPTION_PREFERENCE)),
    () => (ownsIngress ? tc('qdisc', 'del', 'dev', name, 'clsact') : ''),
  ];
  for (const attempt of tries) {
    try {
      attempt();
    } catch {
      // A qdisc that was never set up cannot be removed.
    }
  }
}

const AF_UNIX = 1;
const SOCK_STREAM_CLOEXEC = 1 | 0o2000000;
const EADDRINUSE = 98;
/** Time for the name of an earlier process to be released. */
const PATIENCE_MS = 3000;
const RETRY_MS = 20;

/**
 * Keeps a second process from controlling the same interface: a name that one process of a network
 * namespace can have, and that goes with the last process that holds the descriptor.
 * @returns the descriptor.
 * @throws InputError when another process has it and keeps it.
 */
async function lockInterface(device: string): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS;
  const fd = checked(libc().socket(AF_UNIX, SOCK_STREAM_CLOEXEC, 0), 'opening a lock');
  const name = abstractName(`hpcc-tcp-${device}`);
  while (libc().bind(fd, name, name.length) < 0) {
    const code = libc().errno();
    if (code !== EADDRINUSE || performance.now() > deadline) {
      libc().close(fd);
      const reason = libc().strerror(code);
      throw new InputError(
        code === EADDRINUSE
          ? `another hpcc agent controls TCP on ${device} already`
          : `locking interface ${device}: ${reason}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  return fd;
}

/** The C structure sockaddr_un with a name that is no file: it begins with a zero byte. */
function abstractName(text: string): Uint8Array {
  const bytes = new Uint8Array(3 + text.length);
  bytes[0] = AF_UNIX;
  bytes.set(new TextEncoder().encode(text), 3);
  return bytes;
}
