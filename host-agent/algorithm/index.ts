/**
 * `hpcc-plus-plus/algorithm`: HPCC++ as a value. Telemetry goes in with each acknowledgement; the window,
 * in payload bytes, and the pacing rate, in bits/s, come out. No clock, no sockets.
 *
 * @example
 * const flow = new HpccppWindow({ linkRate: gigabitsPerSecond(100), baseRtt: microseconds(8) });
 * flow.onAck({ ackSequence, nextSequence, telemetry, isIncomplete: false, now });
 * console.log(flow.windowBytes, flow.pacingRate, flow.metrics());
 *
 * @module algorithm
 */
export { HpccppWindow } from './window-form';
export type { HpccppWindowOptions } from './window-form';
export type {
  Acknowledgement,
  AckKind,
  CongestionControl,
  CongestionEvent,
  CongestionEventSink,
  CongestionMetrics,
  Credit,
  LoadReport,
  Loss,
  TelemetryRejection,
} from './congestion-control';
export type { PlausibilityLimits } from './plausible-telemetry';
export type { HopRecord, HopTelemetry } from '../../common/hop/hop';
export type { WindowRecord } from '../../common/wire/hpcc/feedback-records';
export { gigabitsPerSecond, microseconds, nanoseconds } from '../../common/units/units';
export type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
export { InputError } from '../../common/errors';
