import type { HostCounters } from '../host/host-events';

/**
 * Returns advice when feedback was refused because the hosts do not have the same keys; undefined when none
 * was. Without it, keys on one side look like a host that does not answer.
 */
export function keysAdvice({ packetsRejected }: HostCounters): string | undefined {
  const { unauthenticated, signed } = packetsRejected;
  const advice = 'run both hosts with --keys and the same file';
  if (signed > 0) {
    return `${signed} answers were refused: they are signed, and this host has no --keys; ${advice}`;
  }
  if (unauthenticated === 0) return undefined;
  const found = 'they are not signed with the --keys of this host';
  return `${unauthenticated} answers were refused: ${found}; ${advice}`;
}
