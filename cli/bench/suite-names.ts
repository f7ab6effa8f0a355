/** Suites that run where none is named. */
export const SUITE_NAMES = [
  'algorithm',
  'codec',
  'collect',
  'decode',
  'agent',
  'event-queue',
  'tables',
  'switch',
  'emulator',
  'controller',
  'controller-writes',
] as const;

/** Suites that need root or many minutes run only when they are named. */
export const NAMED_SUITE_NAMES = [
  'agent-live',
  'agent-tcp',
  'collect-live',
  'frames',
  'cold-switch',
  'memory-under-attack',
  'live-latency',
  'switch-at-rest',
  'switch-beside-clients',
  'switch-live',
  'switch-under-control',
  'study',
  'study-workers',
  'switch-soak',
] as const;

/** Name of a suite of `hpcc bench`. */
export type SuiteName = (typeof SUITE_NAMES)[number] | (typeof NAMED_SUITE_NAMES)[number];
