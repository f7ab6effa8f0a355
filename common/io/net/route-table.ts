import { anonymousMemory, checked, libc } from './libc';
import type { SharedMemory } from './libc';
import { sequenceOf } from './link-message';
import { openNetlinkSocket } from './netlink-socket';
import { parseRouteAnswer, routeRequest } from './route-message';
import type { NextHop } from './route-message';

const REQUEST_BYTES_MAX = 64;
const ANSWER_BYTES_MAX = 8 * 1024;

/**
 * The IPv4 routes of the network namespace in which it is made. Each call requests them anew over netlink;
 * /proc/net/route has only the first of several ways.
 */
export class RouteTable {
  readonly #fd: number;
  readonly #memory: SharedMemory;
  #sequence = 0;

  /** @throws InputError on systems other than Linux. */
  constructor() {
    this.#fd = openNetlinkSocket();
    try {
      this.#memory = anonymousMemory(REQUEST_BYTES_MAX + ANSWER_BYTES_MAX);
    } catch (error) {
      libc().close(this.#fd);
      throw error;
    }
  }

  /**
   * The ways to an address whose links are up; none where no route leads there.
   * @throws InputError when the kernel does not answer.
   */
  waysTo(destination: number): readonly NextHop[] {
    const { address, bytes } = this.#memory;
    this.#sequence = (this.#sequence + 1) >>> 0;
    const request = routeRequest(destination, this.#sequence);
    bytes.set(request);
    checked(libc().write(this.#fd, address, request.length), 'asking for a route');
    const answerAt = address + BigInt(REQUEST_BYTES_MAX);
    for (;;) {
      const length = checked(
        libc().read(this.#fd, answerAt, ANSWER_BYTES_MAX),
        'reading about a route',
      );
      const answer = bytes.subarray(REQUEST_BYTES_MAX, REQUEST_BYTES_MAX + length);
      // The answer to a request before may still be there.
      if (sequenceOf(answer) === this.#sequence) return parseRouteAnswer(answer);
    }
  }

  close(): void {
    libc().close(this.#fd);
    this.#memory.release();
  }
}
