import { pino } from 'pino';
import type { DestinationStream } from 'pino';

/** Bytes that wait for standard error; more are dropped. */
const WAITING_MAX = 1 << 20;

/**
 * Standard error for a log. A log whose disk is full, or whose reader has gone, is no reason to stop what
 * it is about: lines that cannot be written are dropped.
 */
export function logOutput(): DestinationStream {
  const output = pino.destination({ fd: 2, sync: true, maxLength: WAITING_MAX });
  output.on('error', () => undefined);
  return output;
}
