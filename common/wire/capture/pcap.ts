import { WireFault } from '../fault';
import { LINK_ETHERNET } from './link-type';
import { INCOMPLETE, missing } from './records';
import type { CapturedFrame, Piece, Records } from './records';

/**
 * Capture file of libpcap (draft-ietf-opsawg-pcap), in either byte order, with time stamps in
 * microseconds or nanoseconds.
 *
 *     | magic 32 | version 16, 16 | r 32, r 32 | snap length 32 | link type 16, r 16 |
 *     record: | seconds 32 | fraction 32 | stored length 32 | original length 32 | bytes |
 */
const GLOBAL_LENGTH = 24;
const RECORD_LENGTH = 16;
const VERSION = 2;

interface Format {
  readonly littleEndian: boolean;
  /** ns. */
  readonly fractionUnit: number;
}

/** Formats by the first four bytes of a file, as big-endian. */
const MAGIC = new Map<number, Format>([
  [0xa1b2c3d4, { littleEndian: false, fractionUnit: 1000 }],
  [0xd4c3b2a1, { littleEndian: true, fractionUnit: 1000 }],
  [0xa1b23c4d, { littleEndian: false, fractionUnit: 1 }],
  [0x4d3cb2a1, { littleEndian: true, fractionUnit: 1 }],
]);

/** True if this first word marks a capture as pcap. */
export const isPcapMagic = (magic: number): boolean => MAGIC.has(magic);

/** The records of a capture that starts with one of the magic numbers. */
export class PcapRecords implements Records {
  found: CapturedFrame | WireFault | undefined;
  #format: (Format & { readonly linkType: number }) | undefined;

  step(piece: Piece, at: number): number {
    return this.#format === undefined ? this.#open(piece, at) : this.#record(piece, at);
  }

  #open(piece: Piece, at: number): number {
    const gap = missing('pcap', piece, at, GLOBAL_LENGTH);
    if (gap !== undefined) return this.#lacks(gap);
    const { view, base } = piece;
    const format = MAGIC.get(view.getUint32(at));
    if (format === undefined) {
      return this.#lacks(new WireFault('pcap', base + at, 'not the magic number of a pcap file'));
    }
    const version = view.getUint16(at + 4, format.littleEndian);
    if (version !== VERSION) {
      const reason = `version must be ${VERSION}, found ${version}`;
      return this.#lacks(new WireFault('pcap', base + at + 4, reason));
    }
    // The upper half may hold the length of a frame check sequence.
    const linkType = view.getUint32(at + 20, format.littleEndian) & 0xffff;
    this.#format = { ...format, linkType };
    this.found = undefined;
    return at + GLOBAL_LENGTH;
  }

  #record(piece: Piece, at: number): number {
    const gap = missing('pcap record', piece, at, RECORD_LENGTH);
    if (gap !== undefined) return this.#lacks(gap);
    const { bytes, view } = piece;
    const { littleEndian: little, fractionUnit, linkType } = this.#format ?? NO_FORMAT;
    const need = RECORD_LENGTH + view.getUint32(at + 8, little);
    const rest = missing('pcap record', piece, at, need);
    if (rest !== undefined) return this.#lacks(rest);
    this.found = {
      bytes: bytes.subarray(at + RECORD_LENGTH, at + need),
      originalLength: view.getUint32(at + 12, little),
      linkType,
      time: {
        seconds: view.getUint32(at, little),
        nanoseconds: view.getUint32(at + 4, little) * fractionUnit,
      },
    };
    return at + need;
  }

  #lacks(gap: WireFault | 'later'): number {
    this.found = gap === 'later' ? undefined : gap;
    return INCOMPLETE;
  }
}

const NO_FORMAT = { littleEndian: true, fractionUnit: 1, linkType: LINK_ETHERNET };
