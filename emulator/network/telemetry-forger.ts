import { unreachable } from '../../common/assert';
import type { Packet } from '../../common/packet/packet';
import type { Random } from '../../common/random/random';
import type { Instant } from '../../common/units/units';
import { ORIGIN, microseconds } from '../../common/units/units';
import { readUint16, readUint32, writeUint32 } from '../../common/wire/bytes';
import { HPCC_ACK, HPCC_FLAG_ECHO } from '../../common/wire/hpcc/hpcc-transport';
import { HPCC_TRANSPORT_LENGTH, HPCC_TRANSPORT_PORT } from '../../common/wire/hpcc/hpcc-transport';
import { INT_DSCP, INT_FIXED_LENGTH } from '../../common/wire/int/int-md';
import { afterIpIn, dscpIn, mendUdpChecksum } from '../../common/wire/ip/plain-frame';
import { UDP_LENGTH } from '../../common/wire/ip/udp';
import type { Forgery, ForgedTelemetryDocument } from '../scenario/data-plane-schema';

/** Places in a block of telemetry; see common/wire/int/int-md.ts. */
const BLOCK = { nodeId: 0, occupancy: 8, timestamp: 12, txBytes: 20, capacity: 28 } as const;
const BLOCK_LENGTH = 32;
/** Packets that are remembered, to send one of them once more. */
const MEMORY = 256;

/**
 * An attacker on a link who changes the telemetry in packets on their way, or repeats packets: in
 * data as a switch could, in acknowledgements as one who forges feedback. Checksums are right
 * afterwards; signatures are not, because the attacker has no key.
 */
export class TelemetryForger {
  readonly #document: ForgedTelemetryDocument;
  readonly #random: Random;
  readonly #memory: Packet[] = [];
  /** Packets changed or repeated so far. */
  forgeries = 0;

  constructor(document: ForgedTelemetryDocument, random: Random) {
    this.#document = document;
    this.#random = random;
  }

  /** The packets that go on in the place of `packet`. */
  pass(now: Instant, packet: Packet): readonly Packet[] {
    const { fromUs, toUs, oneIn, forgeries: kinds } = this.#document;
    const at = telemetryAt(packet);
    if (at === undefined) return [packet];
    if (now < ORIGIN + microseconds(fromUs) || now >= ORIGIN + microseconds(toUs)) return [packet];
    const isChosen = this.#random.below(oneIn) === 0;
    const kind = kinds[this.#random.below(kinds.length)];
    if (kind === 'replay') this.#remember(packet);
    if (!isChosen || kind === undefined) return [packet];
    this.forgeries++;
    if (kind === 'replay') return [packet, this.#remembered(packet)];
    return [this.#forged(packet, at, kind)];
  }

  #remember(packet: Packet): void {
    if (this.#memory.length < MEMORY) this.#memory.push(packet);
    else this.#memory[this.#random.below(MEMORY)] = packet;
  }

  /** A remembered packet without its id, because it counts as another packet. */
  #remembered(packet: Packet): Packet {
    const { bytes, length } = this.#memory[this.#random.below(this.#memory.length)] ?? packet;
    return { bytes, length };
  }

  #forged(packet: Packet, at: number, kind: Exclude<Forgery, 'replay'>): Packet {
    const bytes = packet.bytes.slice();
    this.#writeForgery(bytes, at, kind);
    mendUdpChecksum(bytes);
    return { ...packet, bytes };
  }

  /** Writes wrong values; of 64-bit fields only the low words. */
  #writeForgery(bytes: Uint8Array, block: number, kind: Exclude<Forgery, 'replay'>): void {
    const random = this.#random;
    switch (kind) {
      case 'overfull': {
        const at = block + BLOCK.txBytes + 4;
        writeUint32(bytes, at, (readUint32(bytes, at) + 100_000 + random.below(1e8)) >>> 0);
        return;
      }
      case 'capacity':
        writeUint32(bytes, block + BLOCK.capacity, 1_000_000 + random.below(1e8));
        return;
      case 'backwards': {
        const at = block + BLOCK.timestamp + 4;
        writeUint32(bytes, at, Math.max(0, readUint32(bytes, at) - 1000 - random.below(1e6)));
        return;
      }
      case 'unknown-link':
        writeUint32(bytes, block + BLOCK.nodeId, 1000 + random.below(60_000));
        return;
      case 'congested':
        writeUint32(bytes, block + BLOCK.occupancy, 0xff_ffff);
        return;
      case 'idle':
        writeUint32(bytes, block + BLOCK.occupancy, 0);
        writeUint32(bytes, block + BLOCK.txBytes + 4, 0);
        return;
      default:
        unreachable(kind);
    }
  }
}

/** Offset of the newest block of telemetry, in data or in an echo of the project's transport. */
function telemetryAt({ bytes }: Packet): number | undefined {
  const udpAt = afterIpIn(bytes);
  const afterUdp = udpAt + UDP_LENGTH;
  if (readUint16(bytes, udpAt + 2) !== HPCC_TRANSPORT_PORT) return undefined;
  const isData = dscpIn(bytes) === INT_DSCP;
  const isEcho =
    !isData &&
    ((bytes[afterUdp] as number) & 0xf) === HPCC_ACK &&
    ((bytes[afterUdp + 1] as number) & HPCC_FLAG_ECHO) !== 0;
  if (!isData && !isEcho) return undefined;
  const shim = isData ? afterUdp : afterUdp + HPCC_TRANSPORT_LENGTH;
  // The shim counts the words after it.
  const end = shim + 4 + 4 * (bytes[shim + 1] as number);
  const block = shim + INT_FIXED_LENGTH;
  return end >= block + BLOCK_LENGTH ? block : undefined;
}
