import { InputError } from '../../errors';
import { CaptureReader, Pulled } from '../../wire/capture/capture';
import { WireFault } from '../../wire/fault';
import { READABLE_LINKS, isReadableLink } from '../../wire/capture/link-type';
import type { CaptureTime, CapturedFrame } from '../../wire/capture/records';
import { decodeFrameAt } from './decode-frame';
import type { DecodedFrame } from './decode-frame';
import { DEFAULT_DECODE_SETTINGS } from './decode-settings';
import type { DecodeSettings } from './decode-settings';
import type { DecodeFormat } from './telemetry';

/** Options for reading a capture; all have defaults. */
export interface DecodeOptions {
  /** Numbers by which telemetry is recognised, and units; the project's own unless given. */
  readonly settings?: Partial<DecodeSettings>;
  /**
   * Family of formats to read; data packets of RoCE are shown only if it is named. Default `auto`:
   * all.
   */
  readonly format?: DecodeFormat | 'auto';
  /** Name of the file in errors. Default `capture`. */
  readonly name?: string;
}

/** One frame of a capture or an interface, with the kind of its first header. */
export type LinkFrame = CapturedFrame;

/** One frame of a capture with its telemetry. */
export interface DecodedCaptureFrame {
  /** Number of the frame in its capture, from 1. */
  readonly frame: number;
  /** Since 1970; absent where the capture does not say. */
  readonly time: CaptureTime | undefined;
  /** A fault when link, network or transport headers are damaged. */
  readonly decoded: DecodedFrame | WireFault;
}

/**
 * The telemetry of a pcap or pcapng file, frame by frame.
 *
 * @param file the contents of the file.
 * @throws InputError for a file that is damaged or has frames of other links, after what precedes the fault.
 */
export function* decodeCapture(
  file: Uint8Array,
  options: DecodeOptions = {},
): Generator<DecodedCaptureFrame> {
  const decoder = new CaptureDecoder(options);
  yield* decoder.read(file);
  yield* decoder.end();
}

/**
 * The same for captures that arrive piece by piece, or that memory does not hold: what is kept between
 * two pieces is one frame at most.
 *
 * @example
 * const decoder = new CaptureDecoder();
 * for await (const piece of process.stdin) for (const frame of decoder.read(piece)) show(frame);
 * for (const frame of decoder.end()) show(frame);
 */
export class CaptureDecoder {
  readonly #frames: CaptureFrames;
  readonly #settings: DecodeSettings;
  readonly #format: DecodeFormat | 'auto';
  #count = 0;

  constructor({ settings, format = 'auto', name = 'capture' }: DecodeOptions = {}) {
    this.#frames = new CaptureFrames(name);
    this.#settings = { ...DEFAULT_DECODE_SETTINGS, ...settings };
    this.#format = format;
  }

  /**
   * The frames that are whole with this piece, whose memory may be used again afterwards.
   * @throws InputError as {@link decodeCapture} does.
   */
  *read(piece: Uint8Array): Generator<DecodedCaptureFrame> {
    for (const frame of this.#frames.read(piece)) yield this.#decoded(frame);
  }

  /** @throws InputError for a capture that ends inside a frame. */
  *end(): Generator<DecodedCaptureFrame> {
    for (const frame of this.#frames.end()) yield this.#decoded(frame);
  }

  #decoded({ time, bytes, originalLength, linkType }: LinkFrame): DecodedCaptureFrame {
    const place = { bytes, at: 0, wireEnd: originalLength, linkType };
    const decoded = decodeFrameAt(place, this.#settings, this.#format);
    return { frame: ++this.#count, time, decoded };
  }
}

/** The frames of a capture that arrives piece by piece, not decoded. */
export class CaptureFrames {
  readonly #reader = new CaptureReader();

  /** @param name what errors call the capture. */
  constructor(readonly name: string) {}

  /**
   * The frames that are whole with this piece. Their bytes lie in it, or in memory that the next
   * call uses again.
   * @throws InputError for a capture that is damaged or has frames of other links, after what precedes the fault.
   */
  read(piece: Uint8Array): Iterable<LinkFrame> {
    this.#reader.give(piece);
    return new Pulled(() => this.#next());
  }

  /** @throws InputError for a capture that ends inside a frame. */
  end(): Iterable<LinkFrame> {
    this.#reader.finish();
    return new Pulled(() => this.#next());
  }

  #next(): LinkFrame | undefined {
    const frame = this.#reader.next();
    if (frame instanceof WireFault) throw new InputError(`${this.name}: ${frame.toString()}`);
    if (frame === undefined || isReadableLink(frame.linkType)) return frame;
    const message = `link type must be ${READABLE_LINKS}, found ${frame.linkType}`;
    throw new InputError(`${this.name}: ${message}`);
  }
}
