import { UvPoll } from './uv-poll';
import { anonymousMemory, checked, libc } from '../net/libc';
import type { SharedMemory } from '../net/libc';
import { AF_NETLINK, openNetlinkSocket } from '../net/netlink-socket';

/** Group of those who are told of links, rtnetlink(7). */
const RTMGRP_LINK = 1;
/** Group of those who are told of IPv4 routes. */
const RTMGRP_IPV4_ROUTE = 0x40;
const ENOBUFS = 105;
/** Messages that find no room are cut: what they say is asked for anew. */
const MESSAGE_BYTES = 4096;
/** Readings in a row, so that a machine which makes links without end holds nothing up. */
const READINGS_MAX = 64;
/** Changes within so long are one, in ms: making one interface sends several messages. */
const TOGETHER_MS = 5;
/** Longest time until a look that could not see everything is repeated, in ms; each takes twice as long as the last. */
const AGAIN_MAX_MS = 100;

/**
 * Calls `act` soon, and a few milliseconds after links of the network in which it is made have come, gone or
 * changed: the kernel tells of it, also when messages were lost. Those of links that flap come up to a second late.
 */
export class LinkEvents {
  readonly #fd: number;
  readonly #act: () => void;
  readonly #memory: SharedMemory;
  readonly #poll: UvPoll;
  #timer: NodeJS.Timeout | undefined;
  #againMs = TOGETHER_MS;
  #isWantedAgain = false;

  /**
   * @param act must not throw.
   * @param withRoutes calls it too when IPv4 routes have changed.
   * @throws InputError when the process has no descriptors left, or on systems other than Linux.
   */
  constructor(act: () => void, withRoutes = false) {
    this.#act = act;
    this.#fd = openNetlinkSocket();
    let memory: SharedMemory | undefined;
    try {
      memory = anonymousMemory(MESSAGE_BYTES);
      const address = membership(withRoutes ? RTMGRP_LINK | RTMGRP_IPV4_ROUTE : RTMGRP_LINK);
      checked(libc().bind(this.#fd, address, address.length), 'asking for changes of links');
      this.#poll = new UvPoll(this.#fd, () => this.#read());
    } catch (error) {
      memory?.release();
      libc().close(this.#fd);
      throw error;
    }
    this.#memory = memory;
    this.lookSoon();
  }

  /** Calls `act` a few milliseconds from now, as for a change. */
  lookSoon(): void {
    this.#timer ??= this.#lookIn(TOGETHER_MS);
  }

  /**
   * For a look that the kernel did not answer, or that could not open what it found: what refuses it may be over in
   * milliseconds, and packets wait.
   */
  lookAgain(): void {
    this.#isWantedAgain = true;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#poll.close(() => {
      libc().close(this.#fd);
      this.#memory.release();
    });
  }

  /** Empties the socket without reading what messages say: the links themselves are looked at. */
  #read(): void {
    for (let count = 0; count < READINGS_MAX; count++) {
      const length = libc().read(this.#fd, this.#memory.address, MESSAGE_BYTES);
      // The socket says once that messages were lost, and has room again.
      if (length < 0 && libc().errno() !== ENOBUFS) break;
      this.lookSoon();
    }
  }

  #lookIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, ms);
  }

  #look(): void {
    this.#isWantedAgain = false;
    this.#act();
    if (!this.#isWantedAgain) {
      this.#againMs = TOGETHER_MS;
      return;
    }
    this.#timer ??= this.#lookIn(this.#againMs);
    this.#againMs = Math.min(2 * this.#againMs, AGAIN_MAX_MS);
  }
}

/** The C structure sockaddr_nl: the kernel chooses the number of the socket. */
function membership(groups: number): Uint8Array {
  const address = new DataView(new ArrayBuffer(12));
  address.setUint16(0, AF_NETLINK, true);
  address.setUint32(8, groups, true);
  return new Uint8Array(address.buffer);
}
