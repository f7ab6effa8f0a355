import type { HostCounters } from '../host/host-events';

/** Packets that may come damaged before it is said: links lose a bit now and then. */
const DAMAGED_MIN = 10;

/**
 * Returns advice when most packets came with lengths or checksums that are wrong; undefined otherwise. Without
 * it, a virtual interface that leaves checksums to hardware looks like a host that is not there.
 */
export function damageAdvice({
  packetsRejected: { malformed },
  dataReceived,
  acksReceived,
}: HostCounters): string | undefined {
  if (malformed < DAMAGED_MIN || malformed <= dataReceived + acksReceived) return undefined;
  return (
    `${malformed} packets came with wrong lengths or checksums and were refused; ` +
    'where the peer has a virtual interface and --transport udp, run ethtool -K IF tx off there'
  );
}
