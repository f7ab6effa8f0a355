/**
 * DSCPs by which switches that trim (profile hpcc-trim) know packets, as Ultra Ethernet 1.0 names them: that of
 * packets which may be cut to their headers, and that of those which were. Neither is assigned. Where INT has taken
 * the place of the DSCP, they stand in its shim.
 */
export const TRIMMABLE_DSCP = 0x0b;
export const TRIMMED_DSCP = 0x0f;

/** Bytes behind UDP and telemetry that a cut packet keeps: a shim of 8, and the header of the transport with a token. */
export const TRIMMED_KEPT_BYTES = 32;
