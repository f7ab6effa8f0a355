export const SWITCH_KINDS = ['embedded', 'bmv2'] as const;

export type SwitchKind = (typeof SWITCH_KINDS)[number];
