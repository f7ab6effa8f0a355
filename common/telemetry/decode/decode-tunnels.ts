import { LINK_ETHERNET, LINK_RAW } from '../../wire/capture/link-type';
import { WireFault } from '../../wire/fault';
import { parseBehindShim } from '../../wire/int/int-packet';
import { INT_GENEVE_CLASSES, INT_GPE_PROTOCOLS } from '../../wire/int/int-tunnels';
import { INT_GENEVE_OPTION, INT_GRE_SHIM, INT_VXLAN_GPE_SHIM } from '../../wire/int/int-tunnels';
import { GENEVE_PORT, PROTOCOL_GRE, VXLAN_GPE_PORT, VXLAN_PORT } from '../../wire/ip/tunnels';
import { greLength, parseGeneve, parseGre, VXLAN_GPE } from '../../wire/ip/tunnels';
import { NSH_NEXT } from '../../wire/ip/nsh';
import { intStackHops } from '../int-hops';
import { behindShimDetails } from './decode-int';
import { decodeNsh } from './decode-ioam';
import { parseNshChain } from './nsh-chain';
import type { DecodeSettings } from './decode-settings';
import type { OpenInner } from './inner-frame';
import type { IpLayer, TransportLayer } from './frame-layers';
import type { Telemetry } from './telemetry';

const GENEVE_FIXED_LENGTH = 8;

interface TunnelLayers {
  readonly ip: IpLayer;
  /** Undefined for packets that are neither TCP nor UDP. */
  readonly transport: TransportLayer | undefined;
}

/** Offset of INT behind a tunnel's shim, and fields of tunnel and shim. */
interface Tunnelled {
  readonly type: number;
  readonly headerAt: number;
  readonly words: number;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * INT in GRE, VXLAN-GPE and Geneve, IOAM behind NSH in VXLAN-GPE, and all telemetry of the frame inside of these two
 * and of VXLAN.
 */
export function decodeTunnels(
  bytes: Uint8Array,
  { ip, transport }: TunnelLayers,
  settings: DecodeSettings,
  open: OpenInner,
): readonly Telemetry[] {
  const { end } = ip;
  if (transport?.protocol === 'udp' && transport.destinationPort === VXLAN_PORT) {
    return inVxlan(bytes, transport, settings, open);
  }
  const nsh = nshInGpe(bytes, transport, settings, open);
  if (nsh !== undefined) return nsh;
  return tunnelled(bytes, ip, transport, settings).map((found): Telemetry => {
    if (found instanceof WireFault) return { format: 'int', fault: found };
    const { type, headerAt, words, details } = found;
    const extent = { headerAt, intEnd: Math.min(end, headerAt + 4 * words) };
    const shim = { type, words, npt: 2, originalProtocol: 0 } as const;
    const head = parseBehindShim(bytes, shim, extent);
    if (head instanceof WireFault) return { format: 'int', fault: head };
    const hops = intStackHops(bytes, head, settings.units);
    return { format: 'int', details: { ...details, ...behindShimDetails(head) }, hops };
  });
}

/** @see RFC 7348; the header of VXLAN-GPE without its protocol. */
function inVxlan(
  bytes: Uint8Array,
  { payloadOffset: at, end }: TransportLayer,
  settings: DecodeSettings,
  open: OpenInner,
): readonly Telemetry[] {
  const vxlan = VXLAN_GPE.parse(bytes, at, end);
  if (vxlan instanceof WireFault) return [];
  const inside = { bytes: bytes.subarray(0, end), at: at + VXLAN_GPE.size, wireEnd: Infinity };
  const details = { tunnel: 'vxlan', vni: vxlan.vni };
  return open({ place: { ...inside, linkType: LINK_ETHERNET }, details }, settings);
}

/** IOAM behind NSH in VXLAN-GPE, and all telemetry of the packet behind it; undefined where there is no NSH. */
function nshInGpe(
  bytes: Uint8Array,
  transport: TransportLayer | undefined,
  settings: DecodeSettings,
  open: OpenInner,
): readonly Telemetry[] | undefined {
  if (transport?.protocol !== 'udp' || transport.destinationPort !== VXLAN_GPE_PORT)
    return undefined;
  const { payloadOffset: at, end } = transport;
  const gpe = VXLAN_GPE.parse(bytes, at, end);
  if (gpe instanceof WireFault || gpe.nextProtocol !== NSH_NEXT.nsh) return undefined;
  const inside = bytes.subarray(0, end);
  const nshAt = at + VXLAN_GPE.size;
  const tunnel = { tunnel: 'vxlan-gpe', vni: gpe.vni };
  const found = decodeNsh(inside, nshAt, settings).map((each) =>
    'fault' in each ? each : { ...each, details: { ...tunnel, ...each.details } },
  );
  const chain = parseNshChain(inside, nshAt);
  if (chain instanceof WireFault || chain.behind.etherType === 0) return found;
  const place = { bytes: inside, at: chain.behind.offset, wireEnd: Infinity, linkType: LINK_RAW };
  return [...found, ...open({ place, details: tunnel }, settings)];
}

function tunnelled(
  bytes: Uint8Array,
  { protocol, payloadOffset, end }: IpLayer,
  transport: TransportLayer | undefined,
  { intGreProtocol }: DecodeSettings,
): (Tunnelled | WireFault)[] {
  if (protocol === PROTOCOL_GRE) return inGre(bytes, payloadOffset, end, intGreProtocol);
  if (transport?.protocol !== 'udp') return [];
  const at = transport.payloadOffset;
  if (transport.destinationPort === VXLAN_GPE_PORT) return inVxlanGpe(bytes, at, end);
  return transport.destinationPort === GENEVE_PORT ? inGeneve(bytes, at, end) : [];
}

function inGre(
  bytes: Uint8Array,
  at: number,
  end: number,
  intProtocol: number,
): (Tunnelled | WireFault)[] {
  const gre = parseGre(bytes, at, end);
  if (gre instanceof WireFault) return [gre];
  if (gre.protocol !== intProtocol) return [];
  const shimAt = at + greLength(gre);
  const shim = INT_GRE_SHIM.parse(bytes, shimAt, end);
  if (shim instanceof WireFault) return [shim];
  const { type, words, ...rest } = shim;
  const key = gre.key === undefined ? {} : { key: gre.key };
  const details = { tunnel: 'gre', ...key, ...rest };
  return [{ type, words, headerAt: shimAt + INT_GRE_SHIM.size, details }];
}

function inVxlanGpe(bytes: Uint8Array, at: number, end: number): (Tunnelled | WireFault)[] {
  const gpe = VXLAN_GPE.parse(bytes, at, end);
  if (gpe instanceof WireFault) return [gpe];
  if (!INT_GPE_PROTOCOLS.includes(gpe.nextProtocol)) return [];
  const shimAt = at + VXLAN_GPE.size;
  const shim = INT_VXLAN_GPE_SHIM.parse(bytes, shimAt, end);
  if (shim instanceof WireFault) return [shim];
  const { type, words, ...rest } = shim;
  const details = { tunnel: 'vxlan-gpe', vni: gpe.vni, ...rest };
  return [{ type, words, headerAt: shimAt + INT_VXLAN_GPE_SHIM.size, details }];
}

function inGeneve(bytes: Uint8Array, at: number, end: number): (Tunnelled | WireFault)[] {
  const geneve = parseGeneve(bytes, at, end);
  if (geneve instanceof WireFault) return [geneve];
  const found: (Tunnelled | WireFault)[] = [];
  const optionsAt = at + GENEVE_FIXED_LENGTH;
  const optionsEnd = optionsAt + geneve.options.length;
  for (let optionAt = optionsAt; optionAt < optionsEnd;) {
    const option = INT_GENEVE_OPTION.parse(bytes, optionAt, optionsEnd);
    if (option instanceof WireFault) return [...found, option];
    const { optionClass, type, words } = option;
    const headerAt = optionAt + INT_GENEVE_OPTION.size;
    if (INT_GENEVE_CLASSES.includes(optionClass)) {
      const details = { tunnel: 'geneve', vni: geneve.vni, optionClass };
      found.push({ type, words, headerAt, details });
    }
    optionAt = headerAt + 4 * words;
  }
  return found;
}
