import type { CaptureTime } from '../../wire/capture/records';
import type { CarrierHop } from '../../hop/hop';
import type { DecodedFrame } from './decode-frame';
import { flowOf } from './frame-layers';
import type { Telemetry } from './telemetry';

/**
 * One telemetry of a frame as plain data, for a line of JSON. Names end in their units.
 *
 * @param frame number of the frame in its capture, from 1.
 */
export function telemetryLine(
  frame: number,
  time: CaptureTime | undefined,
  decoded: DecodedFrame,
  telemetry: Telemetry,
): Record<string, unknown> {
  const flow = flowOf(decoded);
  const shown = flow === undefined ? {} : { flow };
  const head = { frame, ...timeField(time), ...shown, format: telemetry.format };
  if ('fault' in telemetry) {
    const { header, offset, reason, need } = telemetry.fault;
    return { ...head, fault: { header, offset, reason, ...(need === undefined ? {} : { need }) } };
  }
  return { ...head, ...telemetry.details, hops: telemetry.hops.map(hopFields) };
}

/** Seconds since 1970 as text: a number would lose the nanoseconds. */
function timeField(time: CaptureTime | undefined): { time?: string } {
  if (time === undefined) return {};
  return { time: `${time.seconds}.${time.nanoseconds.toString().padStart(9, '0')}` };
}

const hopFields = (hop: CarrierHop): Record<string, unknown> => ({
  switchId: hop.switchId,
  portId: hop.portId,
  ingressPortId: hop.ingressPortId,
  queueId: hop.queueId,
  timestampNs: hop.timestamp,
  timestampModulusNs: hop.timestampModulus,
  txBytes: hop.txBytes,
  txModulusBytes: hop.txBytesModulus,
  queueBytes: hop.queueBytes,
  capacityBitsPerSecond: hop.capacity,
  utilization: hop.utilization,
  ...hop.fields,
});
