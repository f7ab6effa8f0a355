import { testHost } from '../../support/hosts';
import { withIpv4Checksum } from '../frame-list';
import { conversations, takeFrames } from '../fuzzed-host';
import type { HostKind } from '../fuzzed-host';
import type { FuzzTarget } from '../target';

/** So that a short flow takes several. */
const SEGMENT_BYTES = 40;
const UDP_CHECKSUM_AT = 40;

/** Checksums that are right or not there: a wrong one is refused before anything else is read. */
function repaired(bytes: Uint8Array): Uint8Array {
  if (bytes.length > UDP_CHECKSUM_AT + 1) bytes[UDP_CHECKSUM_AT] = bytes[UDP_CHECKSUM_AT + 1] = 0;
  return withIpv4Checksum(bytes);
}

const KIND: HostKind = {
  make: (n, config) => testHost(n, { mss: SEGMENT_BYTES, ...config }),
  repaired,
  ways: [0, 1, 2, 3, 4, 0x10, 0x11, 0x13, 0x20, 0x22, 0x24, 0x30, 0x40],
};

export const target: FuzzTarget = {
  about: 'frames to a host: DATA, ACK, probes, windows, the opening of flows, INT, notifications',
  bytesMax: 700,
  inSuite: 500,
  seeds: () => conversations(KIND),
  start: () => takeFrames(KIND),
};
