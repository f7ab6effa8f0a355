import { viewPacket } from '../../common/telemetry/judge/packet-view';
import { readUint16 } from '../../common/wire/bytes';
import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';

const typeOf = (frame: Uint8Array): number | undefined =>
  frame.length < ETHERNET_LENGTH ? undefined : readUint16(frame, ETHERNET_LENGTH - 2);

/** Tells frames that may be the packet that was sent: those of its addresses, or of its EtherType if it is not IP. */
export function mayBe(sent: Uint8Array): (frame: Uint8Array) => boolean {
  const addresses = viewPacket(sent)?.addresses;
  const type = typeOf(sent);
  return addresses === undefined
    ? (frame) => typeOf(frame) === type
    : (frame) => viewPacket(frame)?.addresses === addresses;
}
