import type { LinkFrame } from '../decode/decode-capture';
import type { DecodedFrame } from '../decode/decode-frame';
import type { Telemetry } from '../decode/telemetry';
import type { CaptureTime } from '../../wire/capture/records';
import type { ByteText } from './byte-text';

/** Values at the start of a line, before the telemetry. */
export interface LineHead {
  /** Number of the frame in its capture, from 1. */
  readonly frame: number;
  readonly time: CaptureTime | undefined;
  readonly decoded: DecodedFrame;
}

/** A way to write telemetry as lines of text. */
export interface LineFormat {
  /** Writes the lines before all others, such as a CSV header. */
  start(out: ByteText): void;
  /** One telemetry of a frame, in one line or several. */
  write(out: ByteText, head: LineHead, telemetry: Telemetry): void;
  readonly shortcut?: Shortcut | undefined;
}

/** Writes frames that are like earlier ones without decoding them. */
export interface Shortcut {
  /** Just what the format would, and true; or nothing, and false, where the frame must be decoded. */
  write(out: ByteText, number: number, frame: LinkFrame): boolean;
  /** Takes note of a frame that had to be decoded. */
  learn(frame: LinkFrame, decoded: DecodedFrame): void;
}
