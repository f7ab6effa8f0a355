import { anonymousMemory, checked, libc } from '../../../common/io/net/libc';
import type { SharedMemory } from '../../../common/io/net/libc';
import type { ConnectionKey } from '../../tcp/connection-key';
import { parseSocketClass, socketRequest } from '../../tcp/socket-message';

const AF_NETLINK = 16;
const SOCK_RAW_NONBLOCKING = 3 | 0o4000;
const NETLINK_SOCK_DIAG = 4;

const REQUEST_BYTES_MAX = 128;
const ANSWER_BYTES_MAX = 4096;

/**
 * The TCP sockets of this network namespace. The kernel is asked each time, over netlink, so that a
 * change of a socket shows at once; an answer takes two system calls, and no rights.
 */
export class SocketTable {
  readonly #fd: number;
  readonly #memory: SharedMemory;

  /** @throws InputError when the kernel has no such sockets. */
  constructor() {
    this.#fd = checked(
      libc().socket(AF_NETLINK, SOCK_RAW_NONBLOCKING, NETLINK_SOCK_DIAG),
      'opening a netlink socket for TCP connections',
    );
    this.#memory = anonymousMemory(REQUEST_BYTES_MAX + ANSWER_BYTES_MAX);
  }

  /** DSCP of what the connection sends; 0 if the kernel knows of none, as when it has just ended. */
  classOf(connection: ConnectionKey): number {
    const { address, bytes } = this.#memory;
    const request = socketRequest(connection);
    bytes.set(request);
    if (libc().write(this.#fd, address, request.length) < 0) return 0;
    const answerAt = address + BigInt(REQUEST_BYTES_MAX);
    const length = libc().read(this.#fd, answerAt, ANSWER_BYTES_MAX);
    if (length < 0) return 0;
    const answer = bytes.subarray(REQUEST_BYTES_MAX, REQUEST_BYTES_MAX + length);
    return parseSocketClass(answer) ?? 0;
  }

  close(): void {
    libc().close(this.#fd);
    this.#memory.release();
  }
}
