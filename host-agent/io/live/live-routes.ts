import * as fs from 'node:fs';
import { LinkEvents } from '../../../common/io/loop/link-events';
import { LinkTable } from '../../../common/io/net/link-table';
import type { NetworkPlace } from '../../../common/io/net/network-place';
import { RouteTable } from '../../../common/io/net/route-table';
import type { NicRoutes } from '../../nics/nic-agents';
import { neighbourIn } from '../net/next-hop';

/** Addresses that are remembered: whoever sends frames chooses to which of them answers go. */
const ADDRESSES_MAX = 4096;
/** The kernel is asked again for a neighbour that it did not know, in ms: nothing tells of new ones. */
const UNKNOWN_MS = 5000;

/** A way of the kernel's table by one of the interfaces of a host. */
interface Way {
  /** Place of the interface among those of the host. */
  readonly nic: number;
  /** Address that is asked for by ARP: a gateway, or the destination. */
  readonly hop: number;
}

/**
 * Ways of a host with several interfaces, from the kernel's routes and neighbours: a route with several
 * next hops leads by all of them whose links are up. What was looked up holds until links or routes change.
 */
export class LiveRoutes implements NicRoutes {
  readonly #names: readonly string[];
  readonly #network: NetworkPlace;
  readonly #routes: RouteTable;
  readonly #links: LinkTable;
  readonly #events: LinkEvents;
  readonly #ways = new Map<number, readonly Way[]>();
  readonly #macs = new Map<string, number>();
  /** Until when neighbours are taken for unknown, by the process's clock in ms. */
  readonly #unknown = new Map<string, number>();

  /**
   * @param names of the interfaces, in the order of the host's.
   * @param network in which it is made, and in which the neighbours are.
   * @throws InputError when the kernel cannot be asked.
   */
  constructor(names: readonly string[], network: NetworkPlace) {
    this.#names = names;
    this.#network = network;
    this.#routes = new RouteTable();
    this.#links = new LinkTable();
    this.#events = new LinkEvents(() => this.#forget(), true);
  }

  towards(address: number): readonly number[] {
    return this.waysTo(address).map(({ nic }) => nic);
  }

  waysTo(address: number): readonly Way[] {
    const known = this.#ways.get(address);
    if (known !== undefined) return known;
    const indices = this.#names.map((name) => this.#links.find(name)?.index);
    const ways = this.#routes.waysTo(address).flatMap(({ index, gateway }) => {
      const nic = indices.indexOf(index);
      return nic < 0 ? [] : [{ nic, hop: gateway ?? address }];
    });
    if (this.#ways.size >= ADDRESSES_MAX) this.#ways.clear();
    this.#ways.set(address, ways);
    return ways;
  }

  macTowards(nic: number, address: number): number | undefined {
    const key = `${nic} ${address}`;
    const known = this.#macs.get(key);
    if (known !== undefined) return known;
    const now = performance.now();
    if (now < (this.#unknown.get(key) ?? 0)) return undefined;
    const mac = this.#lookUp(nic, address);
    // All are in the kernel's table, too.
    if (this.#macs.size >= ADDRESSES_MAX) this.#macs.clear();
    if (this.#unknown.size >= ADDRESSES_MAX) this.#unknown.clear();
    if (mac === undefined) this.#unknown.set(key, now + UNKNOWN_MS);
    else this.#macs.set(key, mac);
    return mac;
  }

  /** Says what a question to the network has found. */
  noteMac(nic: number, address: number, mac: number): void {
    this.#macs.set(`${nic} ${address}`, mac);
  }

  close(): void {
    this.#events.close();
    this.#routes.close();
    this.#links.close();
  }

  #lookUp(nic: number, address: number): number | undefined {
    const hop = this.waysTo(address).find((way) => way.nic === nic)?.hop;
    if (hop === undefined) return undefined;
    const table = this.#network.run(() => fs.readFileSync('/proc/net/arp', 'utf8'));
    return neighbourIn(table, this.#names[nic] ?? '', hop);
  }

  /** MAC addresses that are known stay: neighbours seldom change them. */
  #forget(): void {
    this.#ways.clear();
    this.#unknown.clear();
  }
}
