import * as fs from 'node:fs';
import { InputError } from '../../../common/errors';
import { formatIpv4 } from '../../../common/topology/topology';
import { askMac } from './arp';
import type { ArpSource } from './arp';
import type { FramePort } from './frame-port';
import { neighbourIn, nextHopIn } from './kernel-tables';
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
  const known = neighbourIn(neighbours, interfaceName, hop) ?? (await askMac(port, source, hop));
  if (known !== undefined) return known;
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
