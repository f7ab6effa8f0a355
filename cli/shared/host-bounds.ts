/** From 1 kb/s to 100 Tb/s. */
export const RATE_MIN = 1000;
export const RATE_MAX = 1e14;
export const MSS_MAX = 0xffff;
/** What the length of an INT header can say. */
export const HOPS_MAX = 31;
export const TIMEOUT_MIN_MS = 0.01;
export const TIMEOUT_MAX_MS = 3_600_000;
export const EVERY_MAX = 0xffff;
export const STAGES_MAX = 1_000_000;
export const EXPECTED_FLOWS_MAX = 1_000_000;
export const PATHS_MAX = 64;
/** Flows of one process; each has timers, a window and a place in every report. */
export const FLOWS_MAX = 10_000;
export const DSCP_MAX = 63;
export const DAY_SECONDS = 86_400;
export const RUN_MAX_SECONDS = 10_000_000;
