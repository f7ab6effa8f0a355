import type { Bytes } from '../../../common/units/units';
import { readUint16, writeUint16 } from '../../../common/wire/bytes';
import { ETHERNET_LENGTH } from '../../../common/wire/ip/ethernet';
import { UDP_LENGTH } from '../../../common/wire/ip/udp';
import { BTH_LENGTH } from '../../../common/wire/roce/bth';
import type { NetworkLayer } from '../../carrier/network-layer';

/** Place of the length in the UDP header. */
const UDP_LENGTH_AT = 4;

/** Memory for the bytes of one packet that its ICRC covers first. */
export const newIcrcHead = ({ headerLength }: NetworkLayer): Uint8Array =>
  new Uint8Array(headerLength + UDP_LENGTH + BTH_LENGTH);

/**
 * Copies the IP, UDP and BTH headers of a packet into `head`, with the lengths that they have without
 * telemetry, which the ICRC does not know of.
 */
export function fillIcrcHead(
  head: Uint8Array,
  bytes: Uint8Array,
  { headerLength, lengthAt }: NetworkLayer,
  bthAt: number,
): void {
  const afterUdp = ETHERNET_LENGTH + headerLength + UDP_LENGTH;
  head.set(bytes.subarray(ETHERNET_LENGTH, afterUdp));
  head.set(bytes.subarray(bthAt, bthAt + BTH_LENGTH), headerLength + UDP_LENGTH);
  shorten(head, lengthAt, bthAt - afterUdp);
  shorten(head, headerLength + UDP_LENGTH_AT, bthAt - afterUdp);
}

function shorten(head: Uint8Array, at: number, by: Bytes): void {
  writeUint16(head, at, readUint16(head, at) - by);
}
