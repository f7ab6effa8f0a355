import { InputError } from '../../errors';
import { anonymousMemory, checked, libc } from './libc';
import { openNetlinkSocket } from './netlink-socket';
import { linkRequest, parseLinkAnswer, sequenceOf } from './link-message';
import type { SharedMemory } from './libc';
import type { Link } from './link-message';

const ENODEV = 19;
const EINVAL = 22;
const ERANGE = 34;

const REQUEST_BYTES_MAX = 256;
/** Interfaces with many addresses or virtual functions have much to say, at most this much. */
const ANSWER_BYTES_MAX = 32 * 1024;
/** The kernel takes names of at most 15 bytes. */
const NAME_BYTES_MAX = 15;

/**
 * The network interfaces of this process's network namespace. Each call requests them anew over
 * netlink: /sys may be that of another namespace, and messages about changes ({@link LinkEvents}) may
 * be late or lost. A request takes two system calls, some 10 us.
 */
export class LinkTable {
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
   * The interface as it is now; undefined when there is none of this name.
   * @throws InputError when the kernel does not answer.
   */
  find(name: string): Link | undefined {
    if (name === '' || Buffer.byteLength(name) > NAME_BYTES_MAX) return undefined;
    const { address, bytes } = this.#memory;
    this.#sequence = (this.#sequence + 1) >>> 0;
    const request = linkRequest(name, this.#sequence);
    bytes.set(request);
    checked(libc().write(this.#fd, address, request.length), `asking for interface ${name}`);
    const answer = parseLinkAnswer(this.#read(name));
    if (answer !== undefined && !('errno' in answer)) return answer;
    const errno = answer?.errno ?? EINVAL;
    if ([ENODEV, EINVAL, ERANGE].includes(errno)) return undefined;
    throw new InputError(`asking for interface ${name}: ${libc().strerror(errno)}`);
  }

  /** The answer to the latest request: one that could not be read before may still be there. */
  #read(name: string): Uint8Array {
    const { address, bytes } = this.#memory;
    const answerAt = address + BigInt(REQUEST_BYTES_MAX);
    for (;;) {
      const length = libc().read(this.#fd, answerAt, ANSWER_BYTES_MAX);
      checked(length, `reading about interface ${name}`);
      const answer = bytes.subarray(REQUEST_BYTES_MAX, REQUEST_BYTES_MAX + length);
      if (sequenceOf(answer) === this.#sequence) return answer;
    }
  }

  close(): void {
    libc().close(this.#fd);
    this.#memory.release();
  }
}
