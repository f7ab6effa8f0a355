import type { Exchange } from '../../common/telemetry/judge/passage';

/** A device under test: takes a frame, and gives what came out of it. */
export interface Device {
  exchange(frame: Uint8Array): Promise<Exchange>;
  close(): void;
}
