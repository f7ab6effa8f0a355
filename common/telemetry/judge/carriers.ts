import type { JudgeSettings } from './packet-view';

/** Ways in which packets carry INT, by which a device is judged. */
export const JUDGED_CARRIERS = [
  'udp',
  'tcp',
  'udp-port',
  'marker',
  'new-udp',
  'gre',
  'new-gre',
  'vxlan',
  'vxlan-gpe',
  'geneve',
] as const;

/**
 * Header that INT stands behind: UDP or TCP told by DSCP, UDP told by its port or by a marker, a UDP or GRE header that the
 * source has added, GRE, VXLAN-GPE that was VXLAN, VXLAN-GPE, or Geneve's header, as an option.
 */
export type JudgedCarrier = (typeof JUDGED_CARRIERS)[number];

/** Kinds of packets that a source puts INT into. */
type PlainKind = 'udp' | 'tcp' | 'gre' | 'vxlan' | 'vxlan-gpe' | 'geneve';

/** Packets that become INT of a carrier. */
export const PLAIN_OF: Readonly<Record<JudgedCarrier, PlainKind>> = {
  udp: 'udp',
  tcp: 'tcp',
  'udp-port': 'udp',
  marker: 'udp',
  'new-udp': 'tcp',
  gre: 'gre',
  'new-gre': 'udp',
  vxlan: 'vxlan',
  'vxlan-gpe': 'vxlan-gpe',
  geneve: 'geneve',
};

type Layers = readonly object[];

const PORT = 5000;
const ORIGINAL_DSCP = 10;
const ETHERNET = { kind: 'ethernet' };
const UDP = { kind: 'udp', destinationPort: PORT };
const TCP = { kind: 'tcp', destinationPort: PORT };
const PAYLOAD = { kind: 'payload', text: 'a packet that a device is judged by' };
/** A packet in a tunnel. */
const INNER_IP: Layers = [{ kind: 'ipv4', source: '192.168.0.1', destination: '192.168.0.2' }];
const INNER: Layers = [...INNER_IP, UDP, PAYLOAD];
const INNER_FRAME: Layers = [ETHERNET, ...INNER];

const TUNNEL_UDP = { kind: 'udp' };
const VNI = 0x10203;
const GRE = { kind: 'gre', hasChecksum: true, key: 0xcafe };
const OTHER_OPTION = { kind: 'geneve-option', optionClass: 0xfffe, type: 7, data: '5a5a5a5a' };

/** Layers of a packet without INT. */
export function plainOver(kind: PlainKind, ip: object): Layers {
  switch (kind) {
    case 'udp':
      return [ETHERNET, ip, UDP, PAYLOAD];
    case 'tcp':
      return [ETHERNET, ip, TCP, PAYLOAD];
    case 'gre':
      return [ETHERNET, ip, GRE, ...INNER];
    case 'vxlan':
      return [ETHERNET, ip, TUNNEL_UDP, { kind: 'vxlan', vni: VNI }, ...INNER_FRAME];
    case 'vxlan-gpe':
      return [ETHERNET, ip, TUNNEL_UDP, { kind: 'vxlan-gpe', vni: VNI }, ...INNER];
    case 'geneve':
      return [ETHERNET, ip, TUNNEL_UDP, { kind: 'geneve', vni: VNI }, OTHER_OPTION, ...INNER_FRAME];
  }
}

/** Layers of a packet with INT. */
export function intOver(
  carrier: JudgedCarrier,
  ip: object,
  int: object,
  { intMarker = [0, 0] }: JudgeSettings,
): Layers {
  const byDscp = { kind: 'int-shim', originalDscp: ORIGINAL_DSCP };
  const gpe = { kind: 'vxlan-gpe', vni: VNI };
  const dscp = { ...ip, dscp: ORIGINAL_DSCP };
  switch (carrier) {
    case 'udp':
      return [ETHERNET, ip, UDP, byDscp, int, PAYLOAD];
    case 'tcp':
      return [ETHERNET, ip, TCP, byDscp, int, PAYLOAD];
    case 'udp-port':
      return [
        ETHERNET,
        ip,
        { kind: 'udp' },
        { kind: 'int-shim', npt: 1, originalPort: PORT },
        int,
        PAYLOAD,
      ];
    case 'marker': {
      const value = intMarker.map((word) => word.toString(16).padStart(8, '0')).join('');
      return [ETHERNET, dscp, UDP, { kind: 'int-marker', value }, byDscp, int, PAYLOAD];
    }
    case 'new-udp': {
      const shim = { kind: 'int-shim', npt: 2, originalProtocol: 17 };
      return [ETHERNET, ip, { kind: 'udp', checksum: 0 }, shim, int, UDP, PAYLOAD];
    }
    case 'gre':
      return [ETHERNET, ip, GRE, { kind: 'int-gre-shim' }, int, ...INNER];
    case 'new-gre': {
      const shim = { kind: 'int-gre-shim', greAdded: true };
      return [ETHERNET, ip, { kind: 'gre' }, shim, int, ip, UDP, PAYLOAD];
    }
    case 'vxlan': {
      const shim = { kind: 'int-gpe-shim', wasVxlan: true };
      return [ETHERNET, ip, TUNNEL_UDP, gpe, shim, int, ...INNER_FRAME];
    }
    case 'vxlan-gpe':
      return [ETHERNET, ip, TUNNEL_UDP, gpe, { kind: 'int-gpe-shim' }, int, ...INNER];
    case 'geneve': {
      const options = [{ kind: 'geneve-option' }, int, OTHER_OPTION];
      return [ETHERNET, ip, TUNNEL_UDP, { kind: 'geneve', vni: VNI }, ...options, ...INNER_FRAME];
    }
  }
}
