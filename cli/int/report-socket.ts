import * as net from 'node:net';
import { InputError } from '../../common/errors';
import { LiveLoop } from '../../common/io/loop/live-loop';
import { startClock } from '../../common/io/monotonic-clock';
import { DatagramReceiver } from '../../common/io/net/datagram-receiver';
import type { DatagramHandler } from '../../common/io/net/datagram-receiver';
import { libc } from '../../common/io/net/libc';
import { ipv6Words } from '../../common/telemetry/craft/values';
import { parseIpv4 } from '../../common/topology/topology';
import { microseconds } from '../../common/units/units';

const AF_INET = 2;
const AF_INET6 = 10;
const SOCKADDR_IN_BYTES = 16;
const SOCKADDR_IN6_BYTES = 28;

/** Room for what comes while metrics are read, which the kernel may cut to its own limit. */
export const RECEIVE_BYTES = 32 << 20;
/** Long enough for hundreds of datagrams at the rate of one core, short against the room for bursts. */
const GATHER = microseconds(500);
/** Batches of one round, after which servers and timers may have their turn. */
const BATCHES = 16;
/** Rounds at the end: for all that the kernel keeps, and not for ever where more comes all the time. */
const LAST_ROUNDS = 64;

export interface ReportAddress {
  /** IPv4 or IPv6; the latter with `%interface` where it is link-local. */
  readonly address: string;
  readonly port: number;
}

/** Takes datagrams of a UDP port, in batches where they follow each other closely. */
export class ReportSocket {
  /** Why it takes no more, where the taker has thrown. */
  failure: Error | undefined;
  readonly #receiver: DatagramReceiver;
  #loop: LiveLoop | undefined;
  #drain: (() => number) | undefined;

  /**
   * Opens the port; datagrams wait in the kernel until {@link ReportSocket.start}.
   * @throws InputError when the address is none of this machine, or the port is taken.
   */
  constructor({ address, port }: ReportAddress) {
    this.#receiver = receiverAt(address, port);
  }

  /** @param rest called when what had come at a time has been taken. */
  start(take: DatagramHandler, rest: () => void): void {
    const receiver = this.#receiver;
    const drainAll = (): number => {
      const count = drain(receiver, take);
      if (count > 0) rest();
      return count;
    };
    this.#drain = drainAll;
    this.#loop = new LiveLoop({
      clock: startClock(),
      gather: GATHER,
      fds: [receiver.fd],
      work: {
        round: drainAll,
        nextAt: () => Infinity,
        finish: () => undefined,
      },
      onFailure: (error) => {
        this.failure = error instanceof Error ? error : new Error(String(error));
      },
    });
    this.#loop.start();
  }

  /** Bytes of {@link RECEIVE_BYTES} that may wait in the kernel. */
  room(): number {
    // The kernel doubles what it is asked for, for what it keeps besides.
    return this.#receiver.room() / 2;
  }

  /** Datagrams that the kernel has dropped; null where it does not say. */
  dropped(): number | null {
    return this.#receiver.dropped();
  }

  /** Takes what has come by now, and no more. */
  async stop(): Promise<void> {
    await this.#loop?.stop();
    if (this.failure !== undefined || this.#drain === undefined) return;
    for (let i = 0; i < LAST_ROUNDS && this.#drain() > 0; i++);
  }

  close(): void {
    this.#receiver.close();
  }
}

function drain(receiver: DatagramReceiver, take: DatagramHandler): number {
  let taken = 0;
  for (let i = 0; i < BATCHES; i++) {
    const count = receiver.drain(take);
    taken += count;
    if (count === 0) break;
  }
  return taken;
}

function receiverAt(address: string, port: number): DatagramReceiver {
  try {
    const socketAddress = net.isIPv6(address) ? inet6(address, port) : inet(address, port);
    return new DatagramReceiver({ socketAddress, bufferBytes: RECEIVE_BYTES });
  } catch (error) {
    const { message } = error as Error;
    throw new InputError(`cannot listen to UDP port ${port} of ${address}: ${message}`);
  }
}

/** The C structure sockaddr_in. */
function inet(address: string, port: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(SOCKADDR_IN_BYTES));
  view.setUint16(0, AF_INET, true);
  view.setUint16(2, port);
  view.setUint32(4, parseIpv4(address) ?? 0);
  return new Uint8Array(view.buffer);
}

/** The C structure sockaddr_in6. */
function inet6(text: string, port: number): Uint8Array {
  const [address = '', scope] = text.split('%');
  const view = new DataView(new ArrayBuffer(SOCKADDR_IN6_BYTES));
  view.setUint16(0, AF_INET6, true);
  view.setUint16(2, port);
  // URLs have addresses in their short form, without dots.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  ipv6Words(short)?.forEach((word, i) => view.setUint32(8 + 4 * i, word));
  if (scope !== undefined) view.setUint32(24, libc().if_nametoindex(scope), true);
  return new Uint8Array(view.buffer);
}
