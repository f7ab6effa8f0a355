/**
 * True if an STF test sets the rate of a queue. Its expected packets depend on when bmv2 gets its turn to
 * send, so it has the machine for itself there.
 */
export const setsQueueRates = (text: string): boolean => /^set_queue_rate\b/m.test(text);
