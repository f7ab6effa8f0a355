import type { HopRecord } from '../../common/hop/hop';
import type { Acknowledgement } from '../../host-agent/algorithm/congestion-control';

/** A record of link (1, 1) at 100 Gb/s with 48-bit counters, all zero, except what is given. */
export function hopRecord(given: Partial<HopRecord> = {}): HopRecord {
  return {
    switchId: 1,
    portId: 1,
    timestamp: 0,
    timestampModulus: 2 ** 48,
    txBytes: 0,
    txBytesModulus: 2 ** 48,
    queueBytes: 0,
    capacity: 100e9,
    ...given,
  };
}

/** An acknowledgement with complete telemetry. */
export function acknowledgement(
  given: Partial<Acknowledgement> & Pick<Acknowledgement, 'telemetry'>,
): Acknowledgement {
  return { ackSequence: 0, nextSequence: 0, isIncomplete: false, now: 0, ...given };
}
