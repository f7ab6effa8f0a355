import { anonymousMemory, libc } from './libc';
import type { SharedMemory } from './libc';

/** Frames per system call. */
export const BATCH = 64;
/** Sizes of the C structures mmsghdr and iovec on 64-bit Linux. */
const MESSAGE_BYTES = 64;
const VECTOR_BYTES = 16;
/** Offsets in them. */
const MESSAGE_VECTOR = 16;
const MESSAGE_VECTOR_COUNT = 24;
const VECTOR_LENGTH = 8;

const ETHERNET_HEADER_BYTES = 14;
/** Two VLAN tags: the longest frame that an interface takes beyond its MTU. */
const TAGS_BYTES = 8;
const FRAME_BYTES_MIN = 2048;
const MSG_DONTWAIT = 0x40;
const EINTR = 4;
const EAGAIN = 11;
const ENOBUFS = 105;

/**
 * Frames that wait to be sent together.
 * PERF: one system call sends 64 frames; what it needs is laid out once, only lengths change.
 */
export class SendBatch {
  /** Frames that the interface took. */
  sent = 0;
  /** Frames that it refused: too long, link down, or out of room. */
  failed = 0;
  readonly #fd: number;
  readonly #frameBytes: number;
  readonly #memory: SharedMemory;
  readonly #framesOffset: number;
  #waiting = 0;

  constructor(fd: number, mtu: number) {
    this.#fd = fd;
    // Not a multiple of a page, or the first bytes of all frames would compete for one cache set.
    this.#frameBytes =
      Math.max(FRAME_BYTES_MIN, mtu + ETHERNET_HEADER_BYTES + TAGS_BYTES + 63) & ~63;
    this.#framesOffset = BATCH * (MESSAGE_BYTES + VECTOR_BYTES);
    this.#memory = anonymousMemory(this.#framesOffset + BATCH * this.#stride());
    for (let i = 0; i < BATCH; i++) this.#layOut(i);
  }

  get isEmpty(): boolean {
    return this.#waiting === 0;
  }

  /**
   * Adds a frame, whose bytes may be reused at once; sends when the batch is full.
   * @param length of the frame when it continues with zeros that are not stored.
   */
  add(frame: Uint8Array, length = frame.length): void {
    if (length > this.#frameBytes || frame.length < ETHERNET_HEADER_BYTES) {
      this.failed += 1;
      return;
    }
    const { bytes, view } = this.#memory;
    const at = this.#framesOffset + this.#waiting * this.#stride();
    bytes.set(frame, at);
    if (length > frame.length) bytes.fill(0, at + frame.length, at + length);
    view.setUint32(this.#vectorOffset(this.#waiting) + VECTOR_LENGTH, length, true);
    this.#waiting += 1;
    if (this.#waiting === BATCH) this.flush();
  }

  /**
   * Adds frames that earlier ones left behind in the memory of the batch. PERF: who sends one frame
   * over and over need not copy it.
   */
  repeat(count: number): void {
    for (let i = 0; i < count; i++) {
      this.#waiting += 1;
      if (this.#waiting === BATCH) this.flush();
    }
  }

  /** Sends what waits. What the interface refuses is lost, as on a wire. */
  flush(): void {
    let next = 0;
    while (next < this.#waiting) {
      const { address } = this.#memory;
      const messages = next === 0 ? address : address + BigInt(next * MESSAGE_BYTES);
      const taken = libc().sendmmsg(this.#fd, messages, this.#waiting - next, MSG_DONTWAIT);
      if (taken > 0) {
        this.sent += taken;
        next += taken;
        continue;
      }
      const error = libc().errno();
      if (error === EINTR) continue;
      // Without room for one frame there is none for the rest; other errors concern one frame.
      const lost = error === EAGAIN || error === ENOBUFS ? this.#waiting - next : 1;
      this.failed += lost;
      next += lost;
    }
    this.#waiting = 0;
  }

  release(): void {
    this.#memory.release();
  }

  #stride(): number {
    return this.#frameBytes + 64;
  }

  #vectorOffset(index: number): number {
    return BATCH * MESSAGE_BYTES + index * VECTOR_BYTES;
  }

  #layOut(index: number): void {
    const { address, view } = this.#memory;
    const message = index * MESSAGE_BYTES;
    const vector = this.#vectorOffset(index);
    const frame = this.#framesOffset + index * this.#stride();
    view.setBigUint64(message + MESSAGE_VECTOR, address + BigInt(vector), true);
    view.setBigUint64(message + MESSAGE_VECTOR_COUNT, 1n, true);
    view.setBigUint64(vector, address + BigInt(frame), true);
  }
}
