import type { DecodeSettings } from './decode-settings';
import type { FramePlace } from './link-layer';
import type { Telemetry } from './telemetry';

/** A packet inside of a tunnel or a report. */
export interface InnerFrame {
  readonly place: FramePlace;
  /** Names its report or tunnel, for the details of its telemetry. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Decodes an inner frame; the decoder of frames hands itself on as this. */
export type OpenInner = (inner: InnerFrame, settings: DecodeSettings) => readonly Telemetry[];
