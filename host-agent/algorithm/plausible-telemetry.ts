import { assert } from '../../common/assert';
import type { HopRecord } from '../../common/hop/hop';
import { wrappedDifference } from '../../common/hop/hop';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import { milliseconds, PS_PER_NS } from '../../common/units/units';
import type { LastTelemetry } from './last-telemetry';
import { interval } from './last-telemetry';

/** What telemetry may say; beyond it somebody damaged or forged the records. */
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
   * By how much a switch's clock may seem to run ahead of the host's, because packets wait
   * differently long. Default 10 ms.
   */
  readonly slackTime?: Duration;
  /**
   * Switches tell the part of a link that a class is guaranteed, which changes with the classes that are
   * active. Default: a link has the capacity that it had.
   */
  readonly capacityVaries?: boolean;
  /** Whether a switch has such a port. Default: every link is known. */
  readonly isKnownLink?: (switchId: number, portId: number) => boolean;
}

const SLACK_BYTES = 20_000;
const SLACK_TIME = milliseconds(10);

/**
 * Judges records that can be compared with `last`. Refuses more bytes than the link could carry in
 * the interval, a capacity that changed, and a clock that ran ahead of the host's.
 */
export function isPlausibleChange(
  { telemetry: hops, now }: { readonly telemetry: readonly HopRecord[]; readonly now: Instant },
  last: LastTelemetry,
  limits: PlausibilityLimits,
): boolean {
  const { slackBytes = SLACK_BYTES, slackTime = SLACK_TIME, capacityVaries = false } = limits;
  for (let i = 0; i < hops.length; i++) {
    const hop = hops[i];
    assert(hop !== undefined, 'the index is below the length');
    const before = last.record(i);
    const dt = interval(hop, before);
    const carried = wrappedDifference(hop.txBytes, before.txBytes, hop.txBytesModulus);
    if (hop.capacity !== before.capacity && !capacityVaries) return false;
    const capacity = hop.capacity > before.capacity ? hop.capacity : before.capacity;
    if (carried > (capacity * dt) / 8e9 + slackBytes) return false;
    if (dt * PS_PER_NS > now - last.storedAt(i) + slackTime) return false;
  }
  return true;
}

/** Judges records for themselves. */
export function implausibility(
  hops: readonly HopRecord[],
  limits: PlausibilityLimits,
): 'unknown-link' | 'implausible' | undefined {
  const { capacityMax = Infinity, queueBytesMax = Infinity, isKnownLink } = limits;
  for (const hop of hops) {
    if (isKnownLink?.(hop.switchId, hop.portId) === false) return 'unknown-link';
    if (hop.capacity > capacityMax || hop.queueBytes > queueBytesMax) return 'implausible';
  }
  return undefined;
}
