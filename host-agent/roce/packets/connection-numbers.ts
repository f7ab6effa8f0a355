import { psnDifference, PSN_MODULUS } from '../../../common/wire/roce/bth';

/**
 * Numbers of the queue pairs of two hosts. There is no connection manager: numbers, first PSN and key of a
 * connection follow from the id of its flow and from how often the id was used.
 *
 *     queue pair number   | initiator 1 | generation 7, from 1 | flow id 16 |
 *
 * The initiator posts the operations of the flow, the target executes them. Addresses of the target's
 * memory count the bytes of the flow.
 */
const INITIATOR = 0x80_0000;
const GENERATIONS = 127;

/** @param use how often the flow id has been used before. */
export const targetQpn = (flow: number, use: number): number =>
  ((1 + (use % GENERATIONS)) << 16) | flow;

export const initiatorQpn = (target: number): number => target | INITIATOR;
export const peerQpn = (qpn: number): number => qpn ^ INITIATOR;
export const isInitiatorQpn = (qpn: number): boolean => (qpn & INITIATOR) !== 0;
export const flowOfQpn = (qpn: number): number => qpn & 0xffff;

/** True if the number could be one of this project's connections; 0 and 1 are for management. */
export const isConnectionQpn = (qpn: number): boolean => (qpn & 0x7f_0000) !== 0;

/** Scattered, so that PSNs wrap in some flows and a packet of an older use is far off. */
export const initialPsn = (target: number): number => Math.imul(target, 0x9e37_79b1) >>> 8;

/** Key of the target's memory. */
export const remoteKey = (target: number): number => Math.imul(target, 0x85eb_ca6b) >>> 0;

/** True if `qpn` is of a later use of its flow id than `other`, of uses that are not far apart. */
export function isNewerUse(qpn: number, other: number): boolean {
  const ahead = ((qpn >>> 16) - (other >>> 16) + GENERATIONS) % GENERATIONS;
  return ahead !== 0 && ahead <= GENERATIONS / 2;
}

/**
 * Numbers of what a host sends, below 2^48: the requester of a flow has the flow's id, the end of a
 * connection that a peer has started the peer's address before it.
 */
export const ROCE_FLOW_IDS = 0x10000;

export const targetId = (initiatorAddress: number, flow: number): number =>
  initiatorAddress * ROCE_FLOW_IDS + flow;

export const isRequesterId = (id: number): boolean => id < ROCE_FLOW_IDS;

export const flowOfSender = (id: number): number => id % ROCE_FLOW_IDS;

/**
 * The number without wrap-around whose low 24 bits are `psn`, and that is nearest to `near`. Within a
 * queue pair all PSNs in question lie within 2^23 of each other.
 */
export const extendPsn = (psn: number, near: number): number =>
  near + psnDifference(psn, wirePsn(near));

/** Converts a number to its PSN on the wire; it may be one below the first. */
export const wirePsn = (extended: number): number =>
  ((extended % PSN_MODULUS) + PSN_MODULUS) % PSN_MODULUS;
