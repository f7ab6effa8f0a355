/**
 * Subscription of a packet to responses of switches (draft-pan-tsvwg-hpccplus-00, section 6.3): by a flag of the
 * INT domain "HP", or without telemetry by DSCP. Neither is assigned.
 */
export const SUBSCRIPTION_DS_FLAG = 0x2000;
export const SUBSCRIPTION_DSCP = 0x1b;
