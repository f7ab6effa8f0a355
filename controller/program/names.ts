/**
 * What the program in p4src calls the objects that the intent fills. Names of tables, actions and
 * profiles are suffixes, which P4Info completes, so that moving a block in the program changes
 * nothing here.
 */
export const PROGRAM = {
  route: 'ipv4_route',
  routeDestination: 'hdr.ipv4.dst_addr',
  ipv6Route: 'ipv6_route',
  ecmp: 'ecmp',
  forward: 'forward',
  forwardIpv6: 'forward_ipv6',
  ecmpSeed: 'ecmp_seed',
  setSeed: 'set_seed',
  portRecord: 'port_record',
  egressPort: 'standard_metadata.egress_port',
  setPortRecord: 'set_port_record',
} as const;
