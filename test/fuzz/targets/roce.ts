import { ETHERNET_LENGTH } from '../../../common/wire/ip/ethernet';
import { computeIcrc, emitIcrc, ICRC_LENGTH } from '../../../common/wire/roce/icrc';
import { WireFault } from '../../../common/wire/fault';
import { roceHost } from '../../support/roce-hosts';
import { withIpv4Checksum } from '../frame-list';
import { conversations, takeFrames } from '../fuzzed-host';
import type { HostKind } from '../fuzzed-host';
import type { FuzzTarget } from '../target';

const UDP_CHECKSUM_AT = 40;

/** The ICRC is right again, as far as the frame has one. */
function repaired(bytes: Uint8Array): Uint8Array {
  if (bytes.length > UDP_CHECKSUM_AT + 1) bytes[UDP_CHECKSUM_AT] = bytes[UDP_CHECKSUM_AT + 1] = 0;
  const frame = withIpv4Checksum(bytes);
  const end = frame.length - ICRC_LENGTH;
  const icrc = end < 0 ? undefined : computeIcrc(frame, ETHERNET_LENGTH, end);
  if (icrc !== undefined && !(icrc instanceof WireFault)) emitIcrc(icrc, frame, end);
  return frame;
}

const KIND: HostKind = {
  make: (n, config) => roceHost(n, config),
  repaired,
  ways: [0, 2, 0x10, 0x40],
};

export const target: FuzzTarget = {
  about: 'frames to a host that speaks RoCEv2: requests, responses, CNPs, telemetry',
  bytesMax: 700,
  inSuite: 1_000,
  seeds: () => conversations(KIND),
  start: () => takeFrames(KIND),
};
