/** Ways to run P4 programs: JavaScript generated for them, or the reference interpreter. */
export const EXECUTOR_NAMES = ['generated', 'interpreter'] as const;

export type ExecutorName = (typeof EXECUTOR_NAMES)[number];

export const DEFAULT_EXECUTOR: ExecutorName = 'generated';
