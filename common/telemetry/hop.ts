import type { BitsPerSecond, Bytes } from '../units/units';

/**
 * One link's telemetry as a switch wrote it, the same for every carrier: codecs produce it, the
 * algorithm consumes it, `decode` prints it and reports plot it.
 *
 * Counters wrap; the moduli travel with them so that rate arithmetic is the same for all formats.
 * Codecs reduce 64-bit counters modulo 2^48, which a number holds exactly: 78 hours of nanoseconds,
 * and at 400 Gb/s 1.5 hours of bytes.
 */
export interface HopRecord {
  /** Identity of the switch, unique in the telemetry domain. */
  readonly switchId: number;
  /** Egress port on that switch. (switchId, portId) names the link. */
  readonly portId: number;
  readonly ingressPortId?: number;
  readonly queueId?: number;
  /** Egress timestamp in ns since an arbitrary origin of that switch, modulo `timestampModulus`. */
  readonly timestamp: number;
  readonly timestampModulus: number;
  /** Bytes that left the port before this packet, modulo `txBytesModulus`. */
  readonly txBytes: Bytes;
  readonly txBytesModulus: number;
  /** Bytes waiting behind this packet when it left its queue. */
  readonly queueBytes: Bytes;
  /** Capacity of the link. */
  readonly capacity: BitsPerSecond;
}

/** `(later - earlier) mod modulus`, from 0 to modulus - 1. Both arguments are below `modulus`. */
export function wrappedDifference(later: number, earlier: number, modulus: number): number {
  const difference = later - earlier;
  return difference < 0 ? difference + modulus : difference;
}
