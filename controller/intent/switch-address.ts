import type { SwitchSpec } from '../document/network';

/** 10.255.0.0 */
const OWN_NETWORK = 0x0aff_0000;

/** A switch's own address: 10.255.x.y with its node id unless the document says. */
export const switchAddress = ({ document, node }: SwitchSpec): number =>
  document.ipv4 ?? OWN_NETWORK + node.nodeId;
