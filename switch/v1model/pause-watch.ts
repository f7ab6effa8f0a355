import type { Bytes, Duration, Instant, PortNumber } from '../../common/units/units';

/** Where a packet waits and where it came in. */
export interface Place {
  readonly egress: PortNumber;
  readonly ingress: PortNumber;
  readonly priority: number;
}

/** Who wants to know what pauses do; for observers of a network. */
export interface PauseWatch {
  /** The switch asks the sender at `ingress` to stop, or to go on; a packet for `egress` decided it. */
  requested(place: Place, isPause: boolean, now: Instant): void;
  /** A packet leaves a queue in which pauses have kept it back. */
  held(
    place: Place,
    packet: { readonly length: Bytes; readonly id?: number | undefined },
    duration: Duration,
  ): void;
}
