/** The ways to run P4 programs, the default first. */
export const EXECUTOR_NAMES = ['generated', 'interpreter'] as const;

/** A way to run P4 programs: JavaScript generated for them, or the reference interpreter. */
export type ExecutorName = (typeof EXECUTOR_NAMES)[number];

export const DEFAULT_EXECUTOR: ExecutorName = 'generated';
