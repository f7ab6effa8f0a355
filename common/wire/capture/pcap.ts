import { WireFault, truncated } from '../fault';

/**
 * Capture file of libpcap (draft-ietf-opsawg-pcap), in either byte order, with time stamps in
 * microseconds or nanoseconds.
 *
 *     | magic 32 | version 16, 16 | r 32, r 32 | snap length 32 | link type 16, r 16 |
 *     record: | seconds 32 | fraction 32 | stored length 32 | original length 32 | bytes |
 */
export const LINK_ETHERNET = 1;

/** One frame of a capture; offsets of faults are from the start of the file. */
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

const GLOBAL_LENGTH = 24;
const RECORD_LENGTH = 16;
const VERSION = 2;

interface Format {
  readonly littleEndian: boolean;
  /** ns. */
  readonly fractionUnit: number;
}

/** By the first four bytes of a file, as big-endian. */
const MAGIC = new Map<number, Format>([
  [0xa1b2c3d4, { littleEndian: false, fractionUnit: 1000 }],
  [0xd4c3b2a1, { littleEndian: true, fractionUnit: 1000 }],
  [0xa1b23c4d, { littleEndian: false, fractionUnit: 1 }],
  [0x4d3cb2a1, { littleEndian: true, fractionUnit: 1 }],
]);

export const isPcap = (file: Uint8Array): boolean =>
  file.length >= 4 && MAGIC.has(new DataView(file.buffer, file.byteOffset).getUint32(0));

/**
 * The frames of a file that {@link isPcap}. A fault is the last thing it gives: what precedes a
 * damaged record has been read.
 */
export function* readPcap(file: Uint8Array): Generator<CapturedFrame | WireFault> {
  if (file.length < GLOBAL_LENGTH) {
    yield truncated('pcap', 0, GLOBAL_LENGTH, file.length);
    return;
  }
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const format = MAGIC.get(view.getUint32(0));
  if (format === undefined) {
    yield new WireFault('pcap', 0, 'not the magic number of a pcap file');
    return;
  }
  const little = format.littleEndian;
  const version = view.getUint16(4, little);
  if (version !== VERSION) {
    yield new WireFault('pcap', 4, `version must be ${VERSION}, found ${version}`);
    return;
  }
  // The upper half may hold the length of a frame check sequence.
  const linkType = view.getUint32(20, little) & 0xffff;
  yield* readRecords(file, view, { linkType, ...format });
}

function* readRecords(
  file: Uint8Array,
  view: DataView,
  { linkType, littleEndian: little, fractionUnit }: Format & { readonly linkType: number },
): Generator<CapturedFrame | WireFault> {
  let at = GLOBAL_LENGTH;
  while (at < file.length) {
    if (file.length < at + RECORD_LENGTH) {
      yield truncated('pcap record', at, RECORD_LENGTH, file.length);
      return;
    }
    const stored = view.getUint32(at + 8, little);
    const end = at + RECORD_LENGTH + stored;
    if (file.length < end) {
      yield truncated('pcap record', at, RECORD_LENGTH + stored, file.length);
      return;
    }
    yield {
      bytes: file.subarray(at + RECORD_LENGTH, end),
      originalLength: view.getUint32(at + 12, little),
      linkType,
      time: {
        seconds: view.getUint32(at, little),
        nanoseconds: view.getUint32(at + 4, little) * fractionUnit,
      },
    };
    at = end;
  }
}
