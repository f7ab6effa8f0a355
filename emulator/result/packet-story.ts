/** Single packets in a part of a run, which was run again to trace them. */
export interface TracedMoment {
  readonly fromUs: number;
  readonly toUs: number;
  /** Packets in the order in which they left their hosts. */
  readonly packets: readonly TracedPacket[];
  /** Further packets that nothing is kept of. */
  readonly omitted: number;
}

export interface TracedPacket {
  /** Equal in every repetition of the run. */
  readonly id: number;
  readonly purpose: 'data' | 'acknowledgement' | 'probe' | 'telemetry' | 'other';
  /** Number of the flow in the scenario; null for packets of none. */
  readonly flow: number | null;
  readonly from: string;
  readonly to: string;
  /** Port at which it left its host, where that has several. */
  readonly fromPort?: number;
  /** Port at which it arrived at a host that has several. */
  readonly toPort?: number;
  /** First byte of data, or the next byte that the receiver expects. */
  readonly sequence: number | null;
  /** Bytes on the wire, as it left. */
  readonly bytes: number;
  readonly sentUs: number;
  /** Why it left then and not earlier; of data. */
  readonly reason?: string;
  readonly hops: readonly TracedHop[];
  /** Null: lost, dropped, or still on its way. */
  readonly receivedUs: number | null;
  /** Effect on the algorithm; only for packets that bring it telemetry. */
  readonly verdict?: TracedVerdict;
}

export interface TracedHop {
  readonly node: string;
  readonly arrivedUs: number;
  /** Null: it did not leave. */
  readonly leftUs: number | null;
  readonly port: number | null;
  /** Telemetry that the switch wrote into the packet. */
  readonly wrote: WrittenHop | null;
}

export interface WrittenHop {
  readonly switchId: number;
  readonly portId: number;
  readonly timestampNs: number;
  readonly txBytes: number;
  readonly queueBytes: number;
  readonly capacityGbps: number;
}

/** Effect of one acknowledgement on the algorithm. */
export interface TracedVerdict {
  /** Number of the data packet whose telemetry it is, where that was traced. */
  readonly of: number | null;
  readonly kind: 'update' | 'fast' | 'first' | 'ignored';
  /** Links in the order of the path; empty where there was nothing to compare with. */
  readonly links: readonly TracedLink[];
  readonly before: ControlState;
  readonly after: ControlState;
  /** Steps of the draft's listing that were taken, with their values. */
  readonly steps: readonly ListingStep[];
  /** Number of the flow's next data packet, where that was traced. */
  readonly next: number | null;
}

export interface TracedLink {
  readonly name: string;
  readonly intervalNs: number;
  readonly rateGbps: number;
  /**
   * Queue length used in u': the smaller one of both ends of the interval, unless configured
   * otherwise.
   */
  readonly queueBytes: number;
  readonly u: number;
  readonly isBottleneck: boolean;
}

export interface ControlState {
  readonly U: number;
  readonly windowBytes: number;
  readonly referenceWindowBytes: number;
  readonly rateGbps: number;
  readonly incStage: number;
  /** Null where the receiver runs the algorithm. */
  readonly inflightBytes: number | null;
}

export interface ListingStep {
  /** Lines of draft-miao-tsv-hpcc-01, as in `8-9`. */
  readonly lines: string;
  readonly text: string;
}

/** An event of a run, to be compared with that of another. */
export interface LoggedEvent {
  readonly atUs: number;
  readonly what: string;
  /** Digest of the stored bytes of the packet. */
  readonly digest: number;
}

/** First difference of two runs: the event in each of them; null: no further event. */
export interface FirstDifference {
  /** Events that are equal in both. */
  readonly equal: number;
  readonly events: readonly [LoggedEvent | null, LoggedEvent | null];
}
