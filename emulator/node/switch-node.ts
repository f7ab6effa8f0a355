import { assert } from '../../common/assert';
import type { Packet } from '../../common/packet/packet';
import type { Instant, PortNumber } from '../../common/units/units';
import type { SwitchOutput } from '../../switch/v1model/options';
import type { V1ModelSwitch } from '../../switch/v1model/v1model-switch';
import type { EventQueue, EventTarget } from '../kernel/event-queue';
import type { Channel, Node } from '../network/channel';

export interface SwitchObserver {
  /** A packet arrived at the switch, before it is processed. */
  switchReceived(node: SwitchNode, packet: Packet): void;
  /** A packet starts on the wire of `port`, after egress processing. */
  switchTransmitted(node: SwitchNode, start: Instant, port: PortNumber, packet: Packet): void;
}

/** Drives an embedded switch by virtual time. Its ports serialise; its links only carry. */
export class SwitchNode implements Node, EventTarget, SwitchOutput {
  readonly #channels: (Channel | undefined)[] = [];
  #device: V1ModelSwitch | undefined;

  constructor(
    readonly name: string,
    private readonly queue: EventQueue,
    private readonly observer: SwitchObserver,
  ) {}

  /** The switch is made with this node as its output, so it comes after the node. */
  install(device: V1ModelSwitch): void {
    this.#device = device;
  }

  get device(): V1ModelSwitch {
    assert(this.#device !== undefined, 'a switch is installed before it is used');
    return this.#device;
  }

  attach(port: PortNumber, channel: Channel): void {
    assert(this.#channels[port] === undefined, `port ${port} of ${this.name} is free`);
    this.#channels[port] = channel;
  }

  channel(port: PortNumber): Channel | undefined {
    return this.#channels[port];
  }

  receive(now: Instant, port: PortNumber, packet: Packet): void {
    this.observer.switchReceived(this, packet);
    this.device.handlePacket(now, port, packet);
  }

  handleEvent(now: Instant, port: number): void {
    this.device.handlePortFree(port, now);
  }

  transmit(port: PortNumber, packet: Packet, start: Instant, end: Instant): void {
    this.observer.switchTransmitted(this, start, port, packet);
    this.#channels[port]?.send(packet, start, end);
  }

  schedulePort(port: PortNumber, at: Instant): void {
    this.queue.schedule(at, this, port);
  }
}
