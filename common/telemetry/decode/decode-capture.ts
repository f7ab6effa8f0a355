import { InputError } from '../../errors';
import { readCapture } from '../../wire/capture/capture';
import { WireFault } from '../../wire/fault';
import { LINK_ETHERNET } from '../../wire/capture/pcap';
import type { CaptureTime } from '../../wire/capture/pcap';
import { decodeFrame } from './decode-frame';
import type { DecodedFrame } from './decode-frame';
import { DEFAULT_DECODE_SETTINGS } from './decode-settings';
import type { DecodeSettings } from './decode-settings';
import type { DecodeFormat } from './telemetry';

/** How to read a capture; all of it has a default. */
export interface DecodeOptions {
  /** Numbers by which telemetry is recognised, and units; the project's own unless given. */
  readonly settings?: Partial<DecodeSettings>;
  /** Only this family; data packets of RoCE are shown only if it is named. Default `auto`: all. */
  readonly format?: DecodeFormat | 'auto';
  /** What errors call the file. Default `capture`. */
  readonly name?: string;
}

/** One frame of a capture. */
export interface DecodedCaptureFrame {
  /** Number of the frame in its capture, from 1. */
  readonly frame: number;
  /** Since 1970; absent where the capture does not say. */
  readonly time: CaptureTime | undefined;
  /** A fault when link, network or transport headers are damaged. */
  readonly decoded: DecodedFrame | WireFault;
}

/**
 * The telemetry of a pcap or pcapng file of Ethernet frames, frame by frame.
 *
 * @param file the contents of the file.
 * @throws InputError for a file that is damaged or has other frames, after what precedes the fault.
 */
export function* decodeCapture(
  file: Uint8Array,
  { settings, format = 'auto', name = 'capture' }: DecodeOptions = {},
): Generator<DecodedCaptureFrame> {
  const all = { ...DEFAULT_DECODE_SETTINGS, ...settings };
  let number = 0;
  for (const frame of readCapture(file)) {
    if (frame instanceof WireFault) throw new InputError(`${name}: ${frame.toString()}`);
    const { bytes, originalLength, time, linkType } = frame;
    if (linkType !== LINK_ETHERNET) {
      throw new InputError(`${name}: link type must be 1 (Ethernet), found ${linkType}`);
    }
    number++;
    yield { frame: number, time, decoded: decodeFrame(bytes, originalLength, all, format) };
  }
}
