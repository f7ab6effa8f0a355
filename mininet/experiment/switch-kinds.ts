/** Switches of an experiment, by the names of `--switch`: this project's, and bmv2's `simple_switch_grpc`. */
export const SWITCH_KINDS = ['embedded', 'bmv2'] as const;

export type SwitchKind = (typeof SWITCH_KINDS)[number];

/** Name that stands for all of them, one after the other. */
export const BOTH_KINDS = 'both';
