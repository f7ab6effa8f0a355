import { WireFault, truncated } from '../fault';

/** One frame of a capture; offsets of faults are from the start of the capture. */
export interface CapturedFrame {
  readonly bytes: Uint8Array;
  /** Bytes on the wire, of which `bytes` holds the first ones. */
  readonly originalLength: number;
  readonly linkType: number;
  /** Since 1970; undefined where a capture has none. */
  readonly time: CaptureTime | undefined;
}

/** When a frame was captured, since 1970. */
export interface CaptureTime {
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** Bytes of a capture in sequence, as many as have arrived. */
export interface Piece {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Place of the first byte in the capture. */
  readonly base: number;
  /** Nothing follows, so a record that is not whole never will be. */
  readonly isLast: boolean;
}

/** Result of {@link Records.step} when the record has not arrived completely. */
export const INCOMPLETE = -1;

/** The records of a capture in one of its forms, one after the other. */
export interface Records {
  /** Frame or fault of the last step; undefined for records that hold no frame. */
  readonly found: CapturedFrame | WireFault | undefined;
  /**
   * Reads the record at `at` of a piece.
   * @returns where the next one begins, or {@link INCOMPLETE}; a fault ends the capture.
   */
  step(piece: Piece, at: number): number;
}

/**
 * Longest record that is read, as in Wireshark: a length beyond that is damage, and room for it is
 * not made however many bytes it claims.
 */
export const RECORD_LENGTH_MAX = 16 * 1024 * 1024;

/** Undefined if `need` bytes are there; otherwise `later`, or a fault if no more bytes follow. */
export function missing(
  header: string,
  { bytes, base, isLast }: Piece,
  at: number,
  need: number,
): WireFault | 'later' | undefined {
  if (need > RECORD_LENGTH_MAX) {
    const reason = `a record must have at most ${RECORD_LENGTH_MAX} bytes, found ${need}`;
    return new WireFault(header, base + at, reason);
  }
  if (bytes.length >= at + need) return undefined;
  return isLast ? truncated(header, base + at, need, base + bytes.length) : 'later';
}
