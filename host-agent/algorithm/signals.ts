/** What the packets of a flow carry or ask for, because its algorithm wants to hear of it. */
export interface Signals {
  /**
   * What switches write into data packets: a record per hop (INT), one byte for the fullest link
   * (`digest`, PINT), or nothing.
   */
  readonly telemetry: 'hops' | 'digest' | 'none';
  /** Data packets may be marked by switches (ECN), and acknowledgements say so. */
  readonly marks: boolean;
  /** Data packets carry the time at which they left, which acknowledgements bring back. */
  readonly timestamps: boolean;
  /** So many data packets of each window carry records of hops, not all. Absent: all. */
  readonly samplesPerWindow?: number;
  /** A load in place of the records of hops tells it nothing. Absent: it takes either. */
  readonly needsLinks?: boolean;
  /** Receivers count the flows on their link and tell senders. Absent: they do not. */
  readonly countsFlows?: boolean;
}

/** Telemetry of every hop, as HPCC and HPCC++ want it. */
export const SIGNALS_OF_HOPS: Signals = { telemetry: 'hops', marks: false, timestamps: false };

/** The same for algorithms that a load alone tells nothing. */
export const SIGNALS_OF_LINKS: Signals = { ...SIGNALS_OF_HOPS, needsLinks: true };

export const SIGNALS_OF_NOTHING: Signals = { telemetry: 'none', marks: false, timestamps: false };
