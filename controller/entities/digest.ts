/** How a digest is reported, once it is enabled by an insert. */
export interface DigestSettings {
  readonly kind: 'digest';
  readonly digest: string;
  /** Absent for no buffering, no limit and no acknowledgements. */
  readonly config?: DigestConfig;
}

export interface DigestConfig {
  /** How long the switch may hold samples back, in ns. */
  readonly maxTimeoutNs: bigint;
  /** How many samples a list may have; 0 for no limit. */
  readonly maxListSize: number;
  /** How long a sample is not repeated while its list is not acknowledged, in ns. */
  readonly ackTimeoutNs: bigint;
}
