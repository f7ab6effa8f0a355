import { readUint16, readUint32 } from '../../wire/bytes';
import { INT_GENEVE_CLASSES, INT_GPE_PROTOCOLS } from '../../wire/int/int-tunnels';
import { GENEVE_PORT, VXLAN_GPE_PORT, VXLAN_PORT } from '../../wire/ip/tunnels';
import type { Fields } from '../craft/layer';
import type { DecodeSettings } from '../decode/decode-settings';

/** Header of UDP, TCP or GRE, whose checksum may cover INT. */
export interface L4View {
  readonly kind: 'udp' | 'tcp' | 'gre';
  readonly at: number;
  readonly end: number;
  /** Ports; 0 of GRE. */
  readonly sourcePort: number;
  readonly destinationPort: number;
  /** Lengths and checksums that do not fit; 0 for no checksum. */
  readonly wrong: Fields;
}

/** Where INT stands in a packet: behind UDP or TCP, behind GRE, behind VXLAN-GPE, or in an option of Geneve. */
type ShimCarrier = 'l4' | 'gre' | 'vxlan-gpe' | 'geneve';

/** INT shim as it stands in the frame; of Geneve the header of the option. */
export interface ShimView {
  readonly carrier: ShimCarrier;
  readonly at: number;
  readonly type: number;
  /** Next protocol type; behind UDP and TCP alone. */
  readonly npt: number | undefined;
  /** G: the source has added the GRE header, or made VXLAN-GPE of VXLAN. */
  readonly added: boolean;
  /** All reserved bits, in one number. */
  readonly reserved: number;
  readonly words: number;
  /** Original DSCP, port or protocol by the NPT, or the next protocol of GRE and VXLAN-GPE. */
  readonly original: number;
}

/** Header of a tunnel, as it stands in the frame. */
export interface TunnelView {
  readonly kind: 'gre' | 'vxlan' | 'vxlan-gpe' | 'geneve';
  readonly at: number;
  readonly end: number;
  /** Protocol of what follows: INT's, where a shim follows. Of plain VXLAN, the bits that VXLAN-GPE has it in: 0. */
  readonly next: number;
  /** All fields that INT leaves alone: flags but VXLAN-GPE's P, key and sequence number, network, protocol of Geneve. */
  readonly rest: string;
  /** Words of the options of Geneve. */
  readonly optionWords: number;
}

const VXLAN_LENGTH = 8;
const MARKER_LENGTH = 8;
const CHECKSUM_BIT = 0x8000;
/** P: a next protocol is there (draft-ietf-nvo3-vxlan-gpe section 3.1); reserved in plain VXLAN (RFC 7348 section 5). */
const NEXT_PROTOCOL_BIT = 0x04;

const hexOf = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.subarray(from, to)).toString('hex');

/** Header of a tunnel behind UDP, or the header of GRE itself. */
export function tunnelView(bytes: Uint8Array, l4: L4View, end: number): TunnelView | undefined {
  if (l4.kind === 'gre') {
    const flags = readUint16(bytes, l4.at);
    const words = l4.at + ((flags & CHECKSUM_BIT) === 0 ? 4 : 8);
    const rest = `${flags} ${hexOf(bytes, words, l4.end)}`;
    const next = readUint16(bytes, l4.at + 2);
    return { kind: 'gre', at: l4.at, end: l4.end, next, rest, optionWords: 0 };
  }
  if (l4.kind !== 'udp' || end < l4.end + VXLAN_LENGTH) return undefined;
  const at = l4.end;
  const place = { at, end: at + VXLAN_LENGTH };
  const flags = bytes[at] as number;
  const next = bytes[at + 3] as number;
  const rest = `${flags & ~NEXT_PROTOCOL_BIT} ${hexOf(bytes, at + 1, at + 3)} ${hexOf(bytes, at + 4, at + 8)}`;
  switch (l4.destinationPort) {
    case VXLAN_PORT: {
      const announced = ((flags & NEXT_PROTOCOL_BIT) << 8) | next;
      return { kind: 'vxlan', ...place, next: announced, rest, optionWords: 0 };
    }
    case VXLAN_GPE_PORT:
      return { kind: 'vxlan-gpe', ...place, next, rest, optionWords: 0 };
    case GENEVE_PORT: {
      const optionWords = (bytes[at] as number) & 0x3f;
      const options = { rest: hexOf(bytes, at + 1, at + 8), optionWords };
      return { kind: 'geneve', ...place, next: readUint16(bytes, at + 2), ...options };
    }
    default:
      return undefined;
  }
}

interface Place {
  readonly carrier: ShimCarrier;
  readonly at: number;
}

/** Parts of a packet that may announce INT. */
interface Announcing {
  readonly bytes: Uint8Array;
  readonly end: number;
  readonly dscp: number;
  readonly l4: L4View;
  readonly tunnel: TunnelView | undefined;
}

/** The place of the shim that a packet announces, by tunnel, marker, port or DSCP. */
export function announcedShim(packet: Announcing, settings: DecodeSettings): Place | undefined {
  const { dscp, l4, tunnel } = packet;
  if (tunnel !== undefined) return shimInTunnel(packet, tunnel, settings);
  if (hasMarker(packet, settings)) return { carrier: 'l4', at: l4.end + MARKER_LENGTH };
  const byPort = l4.kind === 'udp' && l4.destinationPort === settings.intPort;
  return byPort || dscp === settings.intDscp ? { carrier: 'l4', at: l4.end } : undefined;
}

/** True if the first bytes behind UDP or TCP are the marker that the domain uses. */
function hasMarker({ bytes, l4, end }: Announcing, { intMarker }: DecodeSettings): boolean {
  if (intMarker === undefined || end < l4.end + MARKER_LENGTH) return false;
  const [first, second] = intMarker;
  return readUint32(bytes, l4.end) === first && readUint32(bytes, l4.end + 4) === second;
}

function shimInTunnel(
  { bytes }: Announcing,
  { kind, at, end, next, optionWords }: TunnelView,
  settings: DecodeSettings,
): Place | undefined {
  if (kind === 'gre')
    return next === settings.intGreProtocol ? { carrier: 'gre', at: end } : undefined;
  if (kind === 'vxlan-gpe')
    return INT_GPE_PROTOCOLS.includes(next) ? { carrier: 'vxlan-gpe', at: end } : undefined;
  if (kind === 'vxlan') return undefined;
  const optionsEnd = Math.min(bytes.length, at + 8 + 4 * optionWords);
  for (let option = end; option + 4 <= optionsEnd;) {
    if (INT_GENEVE_CLASSES.includes(readUint16(bytes, option)))
      return { carrier: 'geneve', at: option };
    option += 4 + 4 * ((bytes[option + 3] as number) & 0x1f);
  }
  return undefined;
}

/** Reads the shim at its place. */
export function shimView(bytes: Uint8Array, { carrier, at }: Place): ShimView {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(at, at + 4);
  const half = 256 * third + fourth;
  const base = { carrier, at, type: first >>> 4, npt: undefined, words: second };
  switch (carrier) {
    case 'l4': {
      const npt = (first >>> 2) & 3;
      const reserved = ((first & 3) << 16) | (half & (UNUSED_BY_NPT[npt] ?? 0));
      return { ...base, npt, added: npt === 2, reserved, original: half };
    }
    case 'gre':
      return { ...base, added: (first & 8) !== 0, reserved: first & 7, original: half };
    case 'vxlan-gpe': {
      const reserved = ((first & 0xf) << 8) | (third & 0x7f);
      return { ...base, added: (third & 0x80) !== 0, reserved, original: fourth };
    }
    case 'geneve': {
      const words = fourth & 0x1f;
      const reserved = fourth >>> 5;
      return { ...base, type: third, words, added: false, reserved, original: 0 };
    }
  }
}

/** Bits beside the value in the second half of a shim over UDP and TCP, by its NPT. */
const UNUSED_BY_NPT: readonly number[] = [0xff03, 0, 0xff00];
