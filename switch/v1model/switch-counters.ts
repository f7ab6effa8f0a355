import type { Bytes, PortNumber } from '../../common/units/units';

/** Why a packet did not leave the switch. */
export type DropReason =
  /** No program was loaded when it arrived. */
  | 'no-program'
  /** Ingress set the drop port. */
  | 'ingress-drop'
  /** Egress set the drop port. */
  | 'egress-drop'
  /** The queue of its egress port was at its limit. */
  | 'queue-full'
  /** The other end of its egress port has paused the queue for ever; see storm-watch.ts. */
  | 'pause-storm'
  /** Ingress set a multicast group that has no copies. */
  | 'empty-group'
  /** Its priority has no queue. */
  | 'unknown-priority'
  /** It went through the pipeline too often. */
  | 'pass-limit'
  /** It came from or was sent to a port that the switch does not have. */
  | 'unknown-port'
  /** It waited in a queue when another program was loaded. */
  | 'program-replaced';

export interface PortCounters {
  rxPackets: number;
  rxBytes: Bytes;
  /** Counted when transmission starts. */
  txPackets: number;
  txBytes: Bytes;
}

export interface SwitchCounters {
  readonly drops: Readonly<Record<DropReason, number>>;
  readonly ports: ReadonlyMap<PortNumber, Readonly<PortCounters>>;
}

export function noDrops(): Record<DropReason, number> {
  return {
    'no-program': 0,
    'ingress-drop': 0,
    'egress-drop': 0,
    'queue-full': 0,
    'pause-storm': 0,
    'empty-group': 0,
    'unknown-priority': 0,
    'pass-limit': 0,
    'unknown-port': 0,
    'program-replaced': 0,
  };
}

export function noTraffic(): PortCounters {
  return { rxPackets: 0, rxBytes: 0, txPackets: 0, txBytes: 0 };
}
