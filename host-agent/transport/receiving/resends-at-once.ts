import type { ResendRoom } from './resend-room';

/**
 * Senders are asked for trimmed data at once, as Ultra Ethernet has it. In an incast of many they repeat it into the
 * same full queue, and headers, which go first, take a share of the link that grows with their number.
 */
export class ResendsAtOnce<Segment> implements ResendRoom<Segment> {
  readonly nextAt = Infinity;

  hold(): boolean {
    return false;
  }

  isBusy(): boolean {
    return false;
  }

  take(): undefined {
    return undefined;
  }
}
