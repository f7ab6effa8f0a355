import type { AnyLayer } from '../../../common/telemetry/craft/layer';
import { MARKER } from './fault';
import type { Layers } from './fault';

/** Packets with and without INT by every carrier, of which faults change a layer. */

export const ETHERNET = { kind: 'ethernet' };
const UDP = { kind: 'udp', destinationPort: 5000 };
const TCP = { kind: 'tcp', destinationPort: 80 };
export const PAYLOAD = { kind: 'payload', text: 'abcdefgh' };
const INNER = [{ kind: 'ipv4', source: '192.168.0.1' }, UDP, PAYLOAD];
const INNER_FRAME = [ETHERNET, ...INNER];
const GRE = { kind: 'gre', hasChecksum: true, key: 0xcafe };
const OTHER_OPTION = { kind: 'geneve-option', optionClass: 0xfffe, type: 7, data: '5a5a5a5a' };
const DSCP = 12;

/** Carriers, and two that differ by IP or by marker. */
export type Way =
  | 'udp'
  | 'udp6'
  | 'tcp'
  | 'port'
  | 'marker'
  | 'new-udp'
  | 'gre'
  | 'new-gre'
  | 'vxlan'
  | 'vxlan-gpe'
  | 'geneve';

function ipOf(way: Way, { ttl = 63, ...fields }: IpFields): AnyLayer {
  return way === 'udp6'
    ? { kind: 'ipv6', hopLimit: ttl, ...fields }
    : { kind: 'ipv4', ttl, ...fields };
}

interface IpFields {
  readonly ttl?: number;
  readonly source?: string;
  readonly dscp?: number;
}

/** A packet as it is before its source and behind its sink. */
export function plain(way: Way, fields: IpFields = {}): Layers {
  const ip = ipOf(way, { dscp: DSCP, ...fields });
  switch (way) {
    case 'udp':
    case 'udp6':
    case 'port':
    case 'marker':
    case 'new-gre':
      return [ETHERNET, ip, UDP, PAYLOAD];
    case 'tcp':
    case 'new-udp':
      return [ETHERNET, ip, TCP, PAYLOAD];
    case 'gre':
      return [ETHERNET, ip, GRE, ...INNER];
    case 'vxlan':
      return [ETHERNET, ip, { kind: 'udp' }, { kind: 'vxlan', vni: 7 }, ...INNER_FRAME];
    case 'vxlan-gpe':
      return [ETHERNET, ip, { kind: 'udp' }, { kind: 'vxlan-gpe', vni: 7 }, ...INNER];
    case 'geneve':
      return [
        ETHERNET,
        ip,
        { kind: 'udp' },
        { kind: 'geneve', vni: 7 },
        OTHER_OPTION,
        ...INNER_FRAME,
      ];
  }
}

/** The same packet with INT. */
export function withInt(way: Way, int: AnyLayer, fields: IpFields = {}): Layers {
  const marked = ipOf(way, fields);
  const ip = ipOf(way, { dscp: DSCP, ...fields });
  const byDscp = { kind: 'int-shim', originalDscp: DSCP };
  const gpe = [{ kind: 'udp' }, { kind: 'vxlan-gpe', vni: 7 }];
  switch (way) {
    case 'udp':
    case 'udp6':
      return [ETHERNET, marked, UDP, byDscp, int, PAYLOAD];
    case 'tcp':
      return [ETHERNET, marked, TCP, byDscp, int, PAYLOAD];
    case 'port': {
      const shim = { kind: 'int-shim', npt: 1, originalPort: 5000 };
      return [ETHERNET, ip, { kind: 'udp' }, shim, int, PAYLOAD];
    }
    case 'marker':
      return [ETHERNET, ip, UDP, MARKER, byDscp, int, PAYLOAD];
    case 'new-udp': {
      const shim = { kind: 'int-shim', npt: 2, originalProtocol: 6 };
      return [ETHERNET, ip, { kind: 'udp', checksum: 0 }, shim, int, TCP, PAYLOAD];
    }
    case 'gre':
      return [ETHERNET, ip, GRE, { kind: 'int-gre-shim' }, int, ...INNER];
    case 'new-gre': {
      const shim = { kind: 'int-gre-shim', greAdded: true };
      const inner = ipOf(way, { dscp: DSCP });
      return [ETHERNET, ip, { kind: 'gre' }, shim, int, inner, UDP, PAYLOAD];
    }
    case 'vxlan':
      return [ETHERNET, ip, ...gpe, { kind: 'int-gpe-shim', wasVxlan: true }, int, ...INNER_FRAME];
    case 'vxlan-gpe':
      return [ETHERNET, ip, ...gpe, { kind: 'int-gpe-shim' }, int, ...INNER];
    case 'geneve': {
      const options = [{ kind: 'geneve-option' }, int, OTHER_OPTION];
      return [
        ETHERNET,
        ip,
        { kind: 'udp' },
        { kind: 'geneve', vni: 7 },
        ...options,
        ...INNER_FRAME,
      ];
    }
  }
}
