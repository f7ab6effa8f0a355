/**
 * Reason why bytes are not a valid header. A value, not an exception: malformed packets are
 * ordinary input, counted by their receiver.
 */
export class WireFault {
  constructor(
    /** The header that was being read, for example `ipv4`. */
    readonly header: string,
    /** Offset of the offending byte from the start of the frame. */
    readonly offset: number,
    /** The expected value and the value found. */
    readonly reason: string,
    /** Bytes that must exist from `offset` on, where the fault is that they do not. */
    readonly need?: number,
  ) {}

  toString(): string {
    return `${this.header} at byte ${this.offset}: ${this.reason}`;
  }
}

/** The fault of a buffer that ends before a header of `need` bytes at `offset` does. */
export function truncated(header: string, offset: number, need: number, end: number): WireFault {
  const have = Math.max(0, end - offset);
  return new WireFault(header, offset, `needs ${need} bytes, ${have} left`, need);
}
