import { writeUint16, writeUint32, writeUint48 } from '../../../common/wire/bytes';
import { readUint16, readUint32, readUint48 } from '../../../common/wire/bytes';
import { emitEthernet, ETHERNET_LENGTH } from '../../../common/wire/ip/ethernet';
import type { PacketPort } from './packet-port';

const ETHERTYPE_ARP = 0x0806;
const BROADCAST = 0xffff_ffff_ffff;
const SHORTEST_FRAME = 60;
const REQUEST = 1;
const REPLY = 2;
/** Offsets from the end of the Ethernet header (RFC 826, for Ethernet and IPv4). */
const FIELD = { operation: 6, senderMac: 8, sender: 14, target: 24 } as const;
const ARP_LENGTH = 28;

const ATTEMPTS = 3;
const ATTEMPT_MS = 300;
const LOOK_MS = 2;
const FRAMES_PER_LOOK = 256;

/** Who asks. */
export interface ArpSource {
  readonly address: number;
  readonly mac: number;
}

/**
 * Asks who has an address. Whatever else arrives meanwhile is lost, so this comes before traffic.
 * @returns undefined when nobody answers within a second.
 */
export async function askMac(
  port: PacketPort,
  source: ArpSource,
  address: number,
): Promise<number | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const bytes = arpRequest(source, address);
    port.send({ bytes, length: bytes.length });
    port.flush();
    for (let waited = 0; waited < ATTEMPT_MS; waited += LOOK_MS) {
      let found: number | undefined;
      port.drainAll(FRAMES_PER_LOOK, (frame) => (found ??= senderOfReply(frame, address)));
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
  return undefined;
}

/** The broadcast question who has `address`. */
export function arpRequest({ mac, address: sender }: ArpSource, address: number): Uint8Array {
  const frame = new Uint8Array(SHORTEST_FRAME);
  emitEthernet({ source: mac, destination: BROADCAST, etherType: ETHERTYPE_ARP }, frame);
  writeUint16(frame, ETHERNET_LENGTH, 1);
  writeUint16(frame, ETHERNET_LENGTH + 2, 0x0800);
  writeUint16(frame, ETHERNET_LENGTH + 4, 0x0604);
  writeUint16(frame, ETHERNET_LENGTH + FIELD.operation, REQUEST);
  writeUint48(frame, ETHERNET_LENGTH + FIELD.senderMac, mac);
  writeUint32(frame, ETHERNET_LENGTH + FIELD.sender, sender);
  writeUint32(frame, ETHERNET_LENGTH + FIELD.target, address);
  return frame;
}

/** The MAC address that a frame gives for `address`; undefined for everything but such a reply. */
export function senderOfReply(frame: Uint8Array, address: number): number | undefined {
  if (frame.length < ETHERNET_LENGTH + ARP_LENGTH) return undefined;
  if (readUint16(frame, ETHERNET_LENGTH - 2) !== ETHERTYPE_ARP) return undefined;
  if (readUint16(frame, ETHERNET_LENGTH + FIELD.operation) !== REPLY) return undefined;
  if (readUint32(frame, ETHERNET_LENGTH + FIELD.sender) !== address) return undefined;
  return readUint48(frame, ETHERNET_LENGTH + FIELD.senderMac);
}
