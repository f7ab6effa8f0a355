import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import { HP_DOMAIN, INT_FIXED_LENGTH, parseIntMd } from '../../common/wire/int/int-md';
import { IPV4_LENGTH } from '../../common/wire/ip/ipv4';
import { UDP_LENGTH } from '../../common/wire/ip/udp';
import { toHex } from '../support/hex';
import type { PortPacket } from '../support/bmv2-dataplane';

const UDP_AT = ETHERNET_LENGTH + IPV4_LENGTH;
const INT_AT = UDP_AT + UDP_LENGTH;
const HOP_AT = INT_AT + INT_FIXED_LENGTH;

/** A packet that hpcc.p4 sent: queue, timestamp and the UDP checksum over them are blanked. */
export function comparable(packet: PortPacket | undefined): string {
  if (packet === undefined) return 'dropped';
  const bytes = packet.bytes.slice();
  if (hasPushedHop(bytes)) {
    bytes.fill(0, HOP_AT + 9, HOP_AT + 20);
    bytes.fill(0, UDP_AT + 6, UDP_AT + 8);
  }
  return portAndBytes({ port: packet.port, bytes });
}

/** Every byte of a packet, for programs that read no clock. */
export const portAndBytes = ({ port, bytes }: PortPacket): string =>
  `port ${port}: ${toHex(bytes)}`;

/** True if the packet carries a hop block of this project's INT domain. */
export function hasPushedHop(bytes: Uint8Array): boolean {
  const int = parseIntMd(bytes, INT_AT);
  return 'hopCount' in int && int.hopCount > 0 && bytes.length >= HOP_AT + HP_DOMAIN.hopLength;
}
