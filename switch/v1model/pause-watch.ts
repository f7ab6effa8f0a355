import type { Bytes, Duration, Instant, PortNumber } from '../../common/units/units';

/** Port and priority of a waiting packet, and the port where it came in. */
export interface Place {
  readonly egress: PortNumber;
  readonly ingress: PortNumber;
  readonly priority: number;
}

/** Observer of pauses. */
export interface PauseWatch {
  /**
   * The switch requested a pause or resume of the sender at `ingress`, because of a packet for
   * `egress`.
   */
  requested(place: Place, isPause: boolean, now: Instant): void;
  /** A packet leaves a queue in which pauses have kept it back. */
  held(
    place: Place,
    packet: { readonly length: Bytes; readonly id?: number | undefined },
    duration: Duration,
  ): void;
}

/** The beginning or end of a storm of pauses. */
export interface StormNotice {
  readonly port: PortNumber;
  readonly priority: number;
  readonly isStorm: boolean;
  /** Packets that waited and were dropped at its beginning. */
  readonly dropped: number;
}
