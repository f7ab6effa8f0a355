import { assert } from '../../common/assert';
import { LinkPort } from './link-port';
import { PacedPort } from './paced-port';
import type { PortNumber } from '../../common/units/units';
import type { QueueControl, QueueSelection } from '../control/packet-control';
import type { LinkPortOptions, PacedPortOptions, PortOptions, QueueUnit } from './options';
import type { OutputPort } from './output-port';

export interface TrafficOptions {
  /** Unit of the queue depths in metadata. */
  readonly unit: QueueUnit;
  /** Queues per port. */
  readonly priorities?: number;
}

/** Makes the port of a link. */
type LinkMaker<Item> = (options: LinkPortOptions) => OutputPort<Item>;

/** Queues and links of all ports. It knows nothing of P4: an item is whatever waits. */
export class TrafficManager<Item> implements QueueControl {
  /** Ports by number; port numbers have 9 bits. */
  readonly #ports: (OutputPort<Item> | undefined)[] = [];
  /** Ports that nobody has asked for yet. PERF: a switch like bmv2 has 512, and needs a few. */
  readonly #unmade: (PacedPortOptions | undefined)[] = [];
  readonly #unit: QueueUnit;
  readonly #priorities: number;
  readonly #makeLink: LinkMaker<Item>;

  constructor(
    ports: readonly PortOptions[],
    { unit, priorities = 1 }: TrafficOptions,
    makeLink?: LinkMaker<Item>,
  ) {
    this.#unit = unit;
    this.#priorities = priorities;
    this.#makeLink = makeLink ?? ((options) => new LinkPort<Item>(options, priorities, unit));
    for (const options of ports) this.addPort(options);
  }

  addPort(options: PortOptions): void {
    const { port } = options;
    const isNew = this.#ports[port] === undefined && this.#unmade[port] === undefined;
    assert(isNew, `port ${port} is declared once`);
    if (options.pacing === 'bmv2 packets/s') this.#unmade[port] = options;
    else this.#ports[port] = this.#makeLink(options);
  }

  /** Takes a port away; returns what waited there. */
  removePort(port: PortNumber): Item[] {
    const items = this.#ports[port]?.drain() ?? [];
    this.#ports[port] = undefined;
    this.#unmade[port] = undefined;
    return items;
  }

  port(number: PortNumber): OutputPort<Item> | undefined {
    return this.#ports[number] ?? this.#make(number);
  }

  #make(number: PortNumber): OutputPort<Item> | undefined {
    const options = this.#unmade[number];
    if (options === undefined) return undefined;
    this.#unmade[number] = undefined;
    return (this.#ports[number] = new PacedPort<Item>(options, this.#priorities, this.#unit));
  }

  /** All ports in ascending order of their numbers. */
  ports(): Iterable<OutputPort<Item>> {
    for (const number of this.#unmade.keys()) this.#make(number);
    return this.usedPorts();
  }

  /** The same without those that nobody has asked for. */
  *usedPorts(): Iterable<OutputPort<Item>> {
    for (const port of this.#ports) if (port !== undefined) yield port;
  }

  setRate(packetsPerSecond: number, { port, priority }: QueueSelection = {}): void {
    for (const output of this.#selected(port)) output.setPacketRate(packetsPerSecond, priority);
  }

  setDepth(packets: number, { port, priority }: QueueSelection = {}): void {
    for (const output of this.#selected(port)) output.setDepth(packets, priority);
  }

  setWeight(weight: number, { port, priority }: QueueSelection = {}): boolean {
    const outputs = [...this.#selected(port)];
    return outputs.map((output) => output.setWeight(weight, priority)).every((isSet) => isSet);
  }

  #selected(port: PortNumber | undefined): Iterable<OutputPort<Item>> {
    if (port === undefined) return this.ports();
    const output = this.port(port);
    return output === undefined ? [] : [output];
  }
}
