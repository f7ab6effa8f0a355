/** Requests that are under way at most, and their bytes. One alone may be longer. */
const REQUESTS_MAX = 256;
const BYTES_MAX = 8 * 1024 * 1024;
/** Interval in which a sender with requests in hand looks whether there is room, in ms. */
const LOOK_MS = 1;

const REQUESTS = 0;
const BYTES = 1;

/** Memory for the counts of {@link Window}. */
export const windowMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);

/** Notes in that memory that a request was handled. */
export function noteHandled(handled: Int32Array, bytes: number): void {
  Atomics.add(handled, BYTES, bytes);
  Atomics.add(handled, REQUESTS, 1);
}

/** A request that waits for room. */
export interface Held {
  readonly bytes: number;
  /** Hands it over. */
  readonly send: () => void;
}

/**
 * Bounds what is under way from one thread to another: what has not been handled there stays here, in order, where it
 * may still be taken back. So a client that asks and leaves, again and again, makes no queue behind it.
 */
export class Window {
  readonly #held = new Set<Held>();
  #requests = 0;
  #bytes = 0;
  #looking: NodeJS.Timeout | undefined;

  /** @param handled what the other thread counts in, by {@link noteHandled}. */
  constructor(private readonly handled: Int32Array) {}

  /** True if nothing waits for room. */
  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** Sends at once where there is room; returns whether it did. */
  send(request: Held): boolean {
    if (this.#held.size === 0 && this.#hasRoomFor(request)) {
      this.#count(request);
      return true;
    }
    this.#held.add(request);
    this.#look();
    return false;
  }

  /** Takes back what was not sent yet; false for what was. */
  takeBack(request: Held): boolean {
    return this.#held.delete(request);
  }

  // Both counts go round, as those of the other thread do.
  #hasRoomFor({ bytes }: Held): boolean {
    const requests = (this.#requests - Atomics.load(this.handled, REQUESTS)) | 0;
    if (requests === 0) return true;
    const under = (this.#bytes - Atomics.load(this.handled, BYTES)) | 0;
    return requests < REQUESTS_MAX && under + bytes <= BYTES_MAX;
  }

  #count(request: Held): void {
    this.#requests = (this.#requests + 1) | 0;
    this.#bytes = (this.#bytes + request.bytes) | 0;
    request.send();
  }

  #look(): void {
    this.#looking ??= setTimeout(() => {
      this.#looking = undefined;
      for (const request of this.#held) {
        if (!this.#hasRoomFor(request)) break;
        this.#held.delete(request);
        this.#count(request);
      }
      if (this.#held.size > 0) this.#look();
    }, LOOK_MS);
  }
}
