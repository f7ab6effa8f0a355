/**
 * Rules that a server follows where P4Runtime 1.5.0 and bmv2's `simple_switch_grpc` differ, and
 * where programs exist that rely upon bmv2's. `bmv2`: the highest election id of those that are
 * connected is primary, a missing id is 0, roles are ignored, metadata that a packet-out leaves out
 * is 0, refused stream messages get no StreamError, P4Info and program go together by position,
 * values of no bytes are 0, and a range may be the whole field. docs/p4runtime.md lists what
 * follows from that, and what does not.
 */
export type Compatibility = 'specification' | 'bmv2';

export const COMPATIBILITIES: readonly Compatibility[] = ['specification', 'bmv2'];
