/** From the least to the most important; `off` lets nothing through. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'off'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
