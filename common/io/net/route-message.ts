/**
 * IPv4 routes in messages of rtnetlink(7), linux/rtnetlink.h. Numbers are in the machine's byte order, which is
 * little endian; addresses are in that of the network.
 */

import { aligned, ATTRIBUTE_BYTES, HEADER_BYTES } from './link-message';
import { NLM_F_REQUEST, parseAttributes, SEQUENCE_AT } from './link-message';

const AF_INET = 2;
const RTM_NEWROUTE = 24;
const RTM_GETROUTE = 26;
/** Answers with the whole route of the table, and not with the way that one packet would take. */
const RTM_F_FIB_MATCH = 0x2000;
const RTA_DST = 1;
const RTA_OIF = 4;
const RTA_GATEWAY = 5;
const RTA_MULTIPATH = 9;
const RTNH_F_DEAD = 1;
const RTNH_F_LINKDOWN = 16;
/** Lengths in bytes of the C structures rtmsg and rtnexthop. */
const ROUTE_BYTES = 12;
const HOP_BYTES = 8;
const NUMBER_BYTES = 4;
const HOST_BITS = 32;

/** A way that a route names. */
export interface NextHop {
  /** Index of the interface that it leaves by. */
  readonly index: number;
  /** Address of the gateway; undefined where the destination is on the link. */
  readonly gateway: number | undefined;
}

/**
 * Asks for the route to an address.
 * @param sequence comes back with the answer.
 */
export function routeRequest(address: number, sequence: number): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + ROUTE_BYTES + ATTRIBUTE_BYTES + 4);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.length, true);
  view.setUint16(4, RTM_GETROUTE, true);
  view.setUint16(6, NLM_F_REQUEST, true);
  view.setUint32(SEQUENCE_AT, sequence, true);
  bytes[HEADER_BYTES] = AF_INET;
  bytes[HEADER_BYTES + 1] = HOST_BITS;
  view.setUint32(HEADER_BYTES + 8, RTM_F_FIB_MATCH, true);
  const at = HEADER_BYTES + ROUTE_BYTES;
  view.setUint16(at, ATTRIBUTE_BYTES + 4, true);
  view.setUint16(at + 2, RTA_DST, true);
  view.setUint32(at + ATTRIBUTE_BYTES, address);
  return bytes;
}

/** The ways that an answer names, without those whose links are down; none where there is no route. */
export function parseRouteAnswer(bytes: Uint8Array): readonly NextHop[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES + ROUTE_BYTES || view.getUint16(4, true) !== RTM_NEWROUTE) {
    return [];
  }
  const end = Math.min(view.getUint32(0, true), bytes.length);
  const attributes = parseAttributes(bytes.subarray(HEADER_BYTES + ROUTE_BYTES, end));
  const several = attributes.get(RTA_MULTIPATH);
  if (several !== undefined) return hopsOf(several);
  const interfaceIndex = attributes.get(RTA_OIF);
  if (interfaceIndex?.length !== NUMBER_BYTES || isDead(view.getUint32(HEADER_BYTES + 8, true)))
    return [];
  return [{ index: viewOf(interfaceIndex).getInt32(0, true), gateway: addressIn(attributes) }];
}

function hopsOf(bytes: Uint8Array): NextHop[] {
  const view = viewOf(bytes);
  const found: NextHop[] = [];
  for (let at = 0; at + HOP_BYTES <= bytes.length;) {
    const length = view.getUint16(at, true);
    if (length < HOP_BYTES) break;
    const attributes = parseAttributes(bytes.subarray(at + HOP_BYTES, at + length));
    const hop = { index: view.getInt32(at + 4, true), gateway: addressIn(attributes) };
    if (!isDead(bytes[at + 2] ?? 0)) found.push(hop);
    at += aligned(length);
  }
  return found;
}

const isDead = (flags: number): boolean => (flags & (RTNH_F_DEAD | RTNH_F_LINKDOWN)) !== 0;

function addressIn(attributes: ReadonlyMap<number, Uint8Array>): number | undefined {
  const bytes = attributes.get(RTA_GATEWAY);
  return bytes?.length === NUMBER_BYTES ? viewOf(bytes).getUint32(0) : undefined;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
