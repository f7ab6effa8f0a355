/** Signals that an algorithm needs: what the packets of its flow carry or request. */
export interface Signals {
  /**
   * Telemetry that switches write into data packets: a record per hop (INT), one byte for the link with the
   * highest load (`digest`, PINT), or nothing. `responses`: nothing either, and switches answer data that
   * leaves a long queue behind it.
   */
  readonly telemetry: 'hops' | 'digest' | 'none' | 'responses';
  /** Data packets may be marked by switches (ECN), and acknowledgements say so. */
  readonly marks: boolean;
  /** Data packets carry the time at which they left, which acknowledgements bring back. */
  readonly timestamps: boolean;
  /** The sender measures the round trip of each segment itself. Absent: it does not. */
  readonly timesSegments?: boolean;
  /** So many data packets of each window carry records of hops, not all. Absent: all. */
  readonly samplesPerWindow?: number;
  /** A load in place of the records of hops tells it nothing. Absent: it takes either. */
  readonly needsLinks?: boolean;
  /** Receivers count the flows on their link and tell senders. Absent: they do not. */
  readonly countsFlows?: boolean;
  /** Receivers grant credit by the demand that data packets carry. Absent: they do not. */
  readonly credits?: boolean;
  /** Receivers whose link is promised to trimmed data have flows wait for their turn. Absent: they do not. */
  readonly turns?: boolean;
}

/** Telemetry of every hop, as HPCC and HPCC++ want it. */
export const SIGNALS_OF_HOPS: Signals = { telemetry: 'hops', marks: false, timestamps: false };

/** The same for algorithms that a load alone tells nothing. */
export const SIGNALS_OF_LINKS: Signals = { ...SIGNALS_OF_HOPS, needsLinks: true };

/** Data that carries no telemetry, and subscribes to responses of switches. */
export const SIGNALS_OF_RESPONSES: Signals = {
  telemetry: 'responses',
  marks: false,
  timestamps: false,
};

export const SIGNALS_OF_NOTHING: Signals = { telemetry: 'none', marks: false, timestamps: false };

/**
 * The signals of an algorithm under coordination: switches tag the headers of INT, and whoever lets a flow go free
 * looks at the load of its path, so data carries records of hops for every algorithm. The time has no place beside
 * them: the sender keeps it.
 */
export function coordinatedSignals(signals: Signals): Signals {
  if (signals.telemetry !== 'none') return signals;
  const { timestamps, ...others } = signals;
  return { ...others, telemetry: 'hops', timestamps: false, timesSegments: timestamps };
}
