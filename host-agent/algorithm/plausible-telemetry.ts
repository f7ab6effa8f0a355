import { assert } from '../../common/assert';
import type { HopRecord } from '../../common/hop/hop';
import { wrappedDifference } from '../../common/hop/hop';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import { milliseconds, PS_PER_NS } from '../../common/units/units';
import type { LastTelemetry } from './last-telemetry';
import { interval } from './last-telemetry';

/** Limits of plausible telemetry; records beyond them were damaged or forged. */
export interface PlausibilityLimits {
  /** Fastest link of the network. Default: none. */
  readonly capacityMax?: BitsPerSecond;
  /** Deepest buffer of the network. Default: none. */
  readonly queueBytesMax?: Bytes;
  /**
   * Bytes that a link may seem to carry beyond its capacity, because timestamps and counters are
   * truncated and belong to whole packets. Default 20,000: two jumbo frames and units.
   */
  readonly slackBytes?: Bytes;
  /**
   * Time by which a switch's clock may seem to run ahead of the host's, because packets wait differently
   * long. Default 10 ms.
   */
  readonly slackTime?: Duration;
  /**
   * Switches tell the part of a link that a class is guaranteed, which changes with the classes that are
   * active. Default: a link has the capacity that it had.
   */
  readonly capacityVaries?: boolean;
  /** True if a switch has such a port. Default: every link is known. */
  readonly isKnownLink?: (switchId: number, portId: number) => boolean;
}

const SLACK_BYTES = 20_000;
const SLACK_TIME = milliseconds(10);

/**
 * Judges the record of link `i` of the path that `last` follows. Refuses more bytes than the link could
 * carry in the interval, a capacity that changed, and a clock that ran ahead of the host's.
 */
export function isPlausibleChange(
  { telemetry: hops, now }: { readonly telemetry: readonly HopRecord[]; readonly now: Instant },
  i: number,
  last: LastTelemetry,
  limits: PlausibilityLimits,
): boolean {
  const { slackBytes = SLACK_BYTES, slackTime = SLACK_TIME, capacityVaries = false } = limits;
  const hop = hops[i];
  assert(hop !== undefined, 'the index is below the length');
  const before = last.record(i);
  const dt = interval(hop, before);
  // A record that was overtaken shows no interval.
  if (dt === 0 && hop.timestamp !== before.timestamp) return true;
  const carried = wrappedDifference(hop.txBytes, before.txBytes, hop.txBytesModulus);
  if (hop.capacity !== before.capacity && !capacityVaries) return false;
  const capacity = hop.capacity > before.capacity ? hop.capacity : before.capacity;
  if (carried > (capacity * dt) / 8e9 + slackBytes) return false;
  return dt * PS_PER_NS <= now - last.storedAt(i) + slackTime;
}

/** Judges a record for itself; undefined if nothing is wrong with it. */
export function implausibility(
  hop: HopRecord,
  limits: PlausibilityLimits,
): 'unknown-link' | 'implausible' | undefined {
  const { capacityMax = Infinity, queueBytesMax = Infinity, isKnownLink } = limits;
  if (isKnownLink?.(hop.switchId, hop.portId) === false) return 'unknown-link';
  if (hop.capacity > capacityMax || hop.queueBytes > queueBytesMax) return 'implausible';
  return undefined;
}
