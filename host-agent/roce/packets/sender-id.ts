/**
 * Numbers of what a host sends, below 2^48: the requester of a flow has the flow's id, the end of a
 * connection that a peer has started the peer's address before it.
 */
const FLOW_IDS = 0x10000;

export const targetId = (initiatorAddress: number, flow: number): number =>
  initiatorAddress * FLOW_IDS + flow;

export const isRequesterId = (id: number): boolean => id < FLOW_IDS;

export const flowOfSender = (id: number): number => id % FLOW_IDS;
