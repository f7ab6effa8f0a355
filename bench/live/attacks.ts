/** Doors of a switch, and what 16 clients do there all the time. */
export const ATTACKS = [
  'metrics: scrapes',
  'metrics: silent connections',
  'P4Runtime: silent connections',
  'P4Runtime: the whole program',
  'P4Runtime: all entries',
  'P4Runtime: refused Writes',
  'P4Runtime: bids',
  'Thrift: silent connections',
  'Thrift: the whole program',
] as const;

export type Attack = (typeof ATTACKS)[number];
