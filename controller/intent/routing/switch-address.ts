import { formatMappedIpv6 } from '../../../common/wire/ip/mapped-ipv6';
import type { SwitchSpec } from '../../document/network';

/** The address of a switch that the document gives none: 10.255.0.0 and its node id. */
export const defaultSwitchAddress = (nodeId: number): number => 0x0aff_0000 + nodeId;

/** A switch's own address: 10.255.x.y with its node id unless the document says. */
export const switchAddress = ({ document, node }: SwitchSpec): number =>
  document.ipv4 ?? defaultSwitchAddress(node.nodeId);

/** The IPv6 address of a switch, which follows from that of IPv4 as those of hosts do. */
export const switchIpv6Address = (spec: SwitchSpec): string =>
  formatMappedIpv6(switchAddress(spec));
