import { assert } from '../../common/assert';
import type { Packet } from '../../common/packet/packet';
import type { Instant, InstantCell, PortNumber } from '../../common/units/units';
import type { SwitchOutput } from '../../switch/v1model/options';
import type { V1ModelSwitch } from '../../switch/v1model/v1model-switch';
import type { EventQueue, EventTarget } from '../kernel/event-queue';
import type { ObserversOf } from '../kernel/observer-list';
import type { Channel, Node } from '../network/channel';

const PORTS = 512;

export interface SwitchObserver {
  /** A packet arrived at a port of the switch, before it is processed. */
  switchReceived(node: SwitchNode, packet: Packet, now: Instant, port: PortNumber): void;
  /** A packet starts on the wire of `port`, after egress processing. */
  switchTransmitted(node: SwitchNode, start: Instant, port: PortNumber, packet: Packet): void;
}

/** Drives an embedded switch by virtual time. Its ports serialise; its links only carry. */
export class SwitchNode implements Node, EventTarget, SwitchOutput {
  readonly #channels: (Channel | undefined)[] = [];
  /** Source of each port's events. */
  readonly #sources: number[] = [];
  readonly #seeReceived: readonly Pick<SwitchObserver, 'switchReceived'>[];
  readonly #seeTransmitted: readonly Pick<SwitchObserver, 'switchTransmitted'>[];
  #device: V1ModelSwitch | undefined;
  /** A bit for each port with packets that wait; port numbers have 9 bits. */
  readonly #waiting = new Int32Array(PORTS / 32);

  constructor(
    readonly name: string,
    private readonly queue: EventQueue,
    observers: ObserversOf<SwitchObserver>,
    ports: readonly PortNumber[],
  ) {
    this.#seeReceived = observers.of('switchReceived');
    this.#seeTransmitted = observers.of('switchTransmitted');
    for (const port of ports) {
      const source = queue.newSource();
      queue.bind(source, this, port);
      this.#sources[port] = source;
    }
  }

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
    for (const each of this.#seeReceived) each.switchReceived(this, packet, now, port);
    this.device.handlePacket(now, port, packet);
  }

  handleEvent(now: Instant, port: number): void {
    const { device } = this;
    device.handlePortFree(port, now);
    const word = port >> 5;
    if (device.queuePackets(port) > 0) return;
    this.#waiting[word] = (this.#waiting[word] as number) & ~(1 << (port & 31));
  }

  /** Calls `visit` for each port where packets may wait, in ascending order. */
  forEachWaitingPort(visit: (port: PortNumber) => void): void {
    const waiting = this.#waiting;
    for (let word = 0; word < waiting.length; word++) {
      for (let bits = waiting[word] as number; bits !== 0; bits &= bits - 1) {
        visit(word * 32 + 31 - Math.clz32(bits & -bits));
      }
    }
  }

  transmit(port: PortNumber, packet: Packet, start: Instant, end: InstantCell): void {
    for (const each of this.#seeTransmitted) each.switchTransmitted(this, start, port, packet);
    this.#channels[port]?.send(packet, start, end);
  }

  transmitControl(port: PortNumber, packet: Packet, start: Instant, end: InstantCell): void {
    this.#channels[port]?.send(packet, start, end);
  }

  /** Packets wait at a port. */
  schedulePort(port: PortNumber, at: InstantCell): void {
    const word = port >> 5;
    this.#waiting[word] = (this.#waiting[word] as number) | (1 << (port & 31));
    this.queue.due[0] = at[0] as number;
    this.queue.setToDue(this.#sources[port] as number);
  }
}
