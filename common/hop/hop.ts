import type { BitsPerSecond, Bytes } from '../units/units';

/**
 * Telemetry of one link. Values that the carrier does not carry, or marks as not available, are
 * absent. Capacity and units that are configured out of band have been filled in.
 */
export interface HopTelemetry {
  /** Identity of the switch, unique in the telemetry domain. */
  readonly switchId?: number;
  /** Egress port on that switch. (switchId, portId) names the link. */
  readonly portId?: number;
  readonly ingressPortId?: number;
  readonly queueId?: number | undefined;
  /** Egress timestamp in ns since an arbitrary origin of that switch, modulo `timestampModulus`. */
  readonly timestamp?: number;
  readonly timestampModulus?: number;
  /** Bytes sent (txBytes): by the port before this packet, modulo `txBytesModulus`. */
  readonly txBytes?: Bytes;
  readonly txBytesModulus?: number;
  /** Queue length (qLen) in bytes when this packet left its queue, without the packet. */
  readonly queueBytes?: Bytes;
  /** Sojourn time of the packet in its queue, in ns. */
  readonly sojournNs?: number | undefined;
  /** Capacity of the link (B), in bits/s. */
  readonly capacity?: BitsPerSecond;
  /** Utilisation of the link by the device's own average, 0 to 1, where txBytes are not carried. */
  readonly utilization?: number;
}

/** A hop as one carrier has it: what every carrier may say, and its other fields under own names. */
export interface CarrierHop extends HopTelemetry {
  /** Names end in their units; words without a meaning of their own are hexadecimal text. */
  readonly fields?: Readonly<Record<string, number | string | boolean>>;
}

/**
 * One link's telemetry with all that HPCC++ needs, the same for every carrier: codecs produce it,
 * the algorithm consumes it, `decode` prints it and reports plot it.
 *
 * Counters wrap; the moduli travel with them so that rate arithmetic is the same for all formats.
 * Codecs reduce 64-bit counters modulo 2^48, which a number holds exactly: 78 hours of nanoseconds,
 * and at 400 Gb/s 1.5 hours of bytes.
 */
export interface HopRecord extends HopTelemetry {
  readonly switchId: number;
  readonly portId: number;
  readonly timestamp: number;
  readonly timestampModulus: number;
  readonly txBytes: Bytes;
  readonly txBytesModulus: number;
  readonly queueBytes: Bytes;
  readonly capacity: BitsPerSecond;
}

/** True if all that HPCC++ needs of a link is present. */
export function isHopRecord(hop: HopTelemetry): hop is HopRecord {
  return (
    hop.switchId !== undefined &&
    hop.portId !== undefined &&
    hop.timestamp !== undefined &&
    hop.timestampModulus !== undefined &&
    hop.txBytes !== undefined &&
    hop.txBytesModulus !== undefined &&
    hop.queueBytes !== undefined &&
    hop.capacity !== undefined
  );
}

/** `(later - earlier) mod modulus`, from 0 to modulus - 1. Both arguments are below `modulus`. */
export function wrappedDifference(later: number, earlier: number, modulus: number): number {
  const difference = later - earlier;
  return difference < 0 ? difference + modulus : difference;
}
