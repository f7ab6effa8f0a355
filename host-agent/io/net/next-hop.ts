import * as fs from 'node:fs';
import { InputError } from '../../../common/errors';
import { formatIpv4, parseIpv4, parseMac } from '../../../common/topology/topology';
import { askMac } from './arp';
import type { ArpSource } from './arp';
import type { FramePort } from './frame-port';
import { PacketPort } from './packet-port';

/** MAC address that is written where none is needed. */
const NO_MAC = 0;

/**
 * The MAC address that frames to `destination` go to: from the kernel's routes and neighbours, or
 * by asking the network.
 * @throws InputError when no route leads there, or nobody answers.
 */
export async function nextHopMac(
  { port, interfaceName, source }: NextHopQuestion,
  destination: number,
): Promise<number> {
  if (!(port instanceof PacketPort)) return NO_MAC;
  const routes = fs.readFileSync('/proc/net/route', 'utf8');
  const hop = nextHopIn(routes, interfaceName, destination);
  const place = formatIpv4(destination);
  if (hop === undefined) {
    throw new InputError(
      `no route of ${interfaceName} leads to ${place}; give the next hop with --peer-mac`,
    );
  }
  const neighbours = fs.readFileSync('/proc/net/arp', 'utf8');
  const question = { port, interfaceName, source };
  return neighbourIn(neighbours, interfaceName, hop) ?? neighbourMac(question, hop, destination);
}

/**
 * The MAC address of the next hop on the way to `destination`, by asking the network.
 * @throws InputError when nobody answers.
 */
export async function neighbourMac(
  { port, interfaceName, source }: NextHopQuestion,
  hop: number,
  destination: number,
): Promise<number> {
  const known = port instanceof PacketPort ? await askMac(port, source, hop) : NO_MAC;
  if (known !== undefined) return known;
  const place = formatIpv4(destination);
  const way = hop === destination ? place : `${formatIpv4(hop)}, the gateway to ${place},`;
  throw new InputError(
    `${way} does not answer ARP on ${interfaceName}; give its MAC address with --peer-mac`,
  );
}

export interface NextHopQuestion {
  readonly port: FramePort;
  readonly interfaceName: string;
  readonly source: ArpSource;
}

const RTF_UP = 1;
const RTF_GATEWAY = 2;
const ATF_COMPLETE = 2;

/**
 * The address that frames to `destination` go to first: a gateway, or the destination itself.
 * @param table the text of /proc/net/route.
 * @returns undefined when no route of the interface leads there.
 */
export function nextHopIn(
  table: string,
  interfaceName: string,
  destination: number,
): number | undefined {
  let best: { readonly mask: number; readonly hop: number } | undefined;
  for (const line of table.split('\n').slice(1)) {
    const [name, network = '', gateway = '', flags = '0', , , , mask = ''] = line.split('\t');
    if (name !== interfaceName || (parseInt(flags, 16) & RTF_UP) === 0) continue;
    const maskBits = littleEndian(mask);
    if ((destination & maskBits) >>> 0 !== littleEndian(network)) continue;
    if (best !== undefined && best.mask >= maskBits) continue;
    const isGateway = (parseInt(flags, 16) & RTF_GATEWAY) !== 0;
    best = { mask: maskBits, hop: isGateway ? littleEndian(gateway) : destination };
  }
  return best?.hop;
}

/**
 * The MAC address of a neighbour that the kernel knows.
 * @param table the text of /proc/net/arp.
 */
export function neighbourIn(
  table: string,
  interfaceName: string,
  address: number,
): number | undefined {
  for (const line of table.split('\n').slice(1)) {
    const [ip = '', , flags = '0', mac = '', , name] = line.trim().split(/\s+/);
    if (name !== interfaceName || parseIpv4(ip) !== address) continue;
    if ((Number(flags) & ATF_COMPLETE) !== 0) return parseMac(mac);
  }
  return undefined;
}

/** The table prints words of the network's byte order as this machine's numbers. */
function littleEndian(hex: string): number {
  const value = parseInt(hex, 16);
  const bytes = [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24];
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}
