import { PS_PER_NS } from '../../../common/units/units';
import { InputError } from '../../../common/errors';
import { Readiness } from '../../../common/io/net/readiness';
import { PortTimers } from './port-timers';
import type { Packet } from '../../../common/packet/packet';
import type { Instant, PortNumber } from '../../../common/units/units';
import type { SwitchOutput } from '../../v1model/options';
import type { DataPort, LivePortCounters } from './data-port';
import type { Clock } from '../../../common/io/monotonic-clock';

/** Frames of one port before the others get their turn: what one system call can send. */
const BATCH = 64;
/**
 * Rounds without any frame before the switch goes to sleep. Going to sleep and waking up takes
 * longer than a few looks into rings.
 */
const IDLE_ROUNDS = 16;
/** With nothing to wait for, the switch still looks around now and then. */
const SLEEP_NS = 100_000_000;

/** What the driver drives: a switch without clock and sockets. */
export interface DrivenSwitch {
  handlePacket(now: Instant, port: PortNumber, packet: Packet): void;
  handlePortFree(port: PortNumber, now: Instant): void;
  /** Moves the present on that idle times are measured from. */
  advanceTo(now: Instant): void;
}

/** Carries the packets of ports without an interface. */
export interface PacketExchange {
  /** Keeps nothing of the bytes; false when nobody is there to take the packet. */
  send(port: PortNumber, packet: Packet): boolean;
  counters(): LivePortCounters;
}

export interface LiveSwitchOptions {
  readonly clock: Clock;
  /** Called once when the switch cannot go on. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Drives a switch by the machine's clock and its network interfaces: frames in, frames out, and
 * wake-ups when they are due. Everything runs on the main thread, between the calls of control
 * servers, so control and data plane need no locks.
 */
export class LiveSwitch implements SwitchOutput {
  /** {@link DataPort.send} keeps copies. */
  readonly copiesPackets = true;
  /** Frames are read in the memory that the kernel writes them to. */
  readonly lendsPackets = true;
  /** Packets for ports that lead nowhere. */
  unattached = 0;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #ports = new Map<PortNumber, DataPort>();
  readonly #byNumber: (DataPort | undefined)[] = [];
  readonly #timers = new PortTimers();
  #device: DrivenSwitch | undefined;
  /** The instant that the device was last told; it never goes back. */
  #present: Instant = 0;
  #readiness = new Readiness([]);
  #readinessIsStale = false;
  #idleRounds = 0;
  #receivePacketIn: ((bytes: Uint8Array) => void) | undefined;
  #onStopped: (() => void) | undefined;
  #running = false;
  #exchange: PacketExchange | undefined;
  /** What went wrong outside the turns, which is for the next turn to report. */
  #failure: { readonly error: unknown } | undefined;
  /** Of ports that have lost their interface. */
  readonly #closed: LivePortCounters[] = [];

  constructor({ clock, onFailure }: LiveSwitchOptions) {
    this.#clock = clock;
    this.#onFailure = onFailure;
  }

  get ports(): ReadonlyMap<PortNumber, DataPort> {
    return this.#ports;
  }

  now(): Instant {
    this.#present = this.#clock();
    return this.#present;
  }

  /** @throws InputError when the port has an interface. */
  attach(port: DataPort): void {
    if (this.#ports.has(port.port)) {
      throw new InputError(`port ${port.port} has an interface already`);
    }
    this.#ports.set(port.port, port);
    this.#byNumber[port.port] = port;
    this.#portsChanged();
  }

  /** Returns false when the port has no interface. */
  detach(number: PortNumber): boolean {
    const port = this.#ports.get(number);
    if (port === undefined) return false;
    this.#ports.delete(number);
    this.#byNumber[number] = undefined;
    this.#close(port);
    this.#portsChanged();
    return true;
  }

  /** Ports whose interface was made again have another descriptor to wait for. */
  interfaceRenewed(): void {
    this.#portsChanged();
  }

  /** From now on ports without an interface are those of the exchange. */
  carryBy(exchange: PacketExchange): void {
    this.#exchange = exchange;
  }

  /** A packet has arrived, though not at an interface. */
  receive(port: PortNumber, packet: Packet): void {
    if (!this.#running) return;
    try {
      this.#device?.handlePacket(this.#clock(), port, packet);
    } catch (error) {
      this.#failure ??= { error };
      this.#readiness.wake();
    }
  }

  /** Whether packets wait for their time to leave. */
  get holdsPackets(): boolean {
    return this.#timers.next() !== undefined;
  }

  /** The switch is made with this driver as its output, so it comes after the driver. */
  start(device: DrivenSwitch): void {
    this.#device = device;
    this.#running = true;
    setImmediate(this.#turn);
  }

  /** Sends what waits for the interfaces and closes them. */
  stop(): Promise<void> {
    if (!this.#running) return Promise.resolve();
    this.#running = false;
    return new Promise((resolve) => {
      this.#onStopped = resolve;
      this.#readiness.wake();
    });
  }

  /** Counters of all interfaces, also of those that are closed, and of the exchange. */
  counters(): LivePortCounters[] {
    const open = [...this.#ports.values()].map((live) => live.counters());
    return [...this.#closed, ...open, ...(this.#exchange ? [this.#exchange.counters()] : [])];
  }

  transmit(port: PortNumber, packet: Packet): void {
    const live = this.#byNumber[port];
    if (live !== undefined) live.send(packet.bytes);
    else if (this.#exchange?.send(port, packet) !== true) this.unattached += 1;
    this.#readiness.wake();
  }

  /** A packet has left through the CPU port. */
  packetIn(packet: Packet): void {
    this.#receivePacketIn?.(packet.bytes);
  }

  /** Who receives the packets of the CPU port. */
  onPacketIn(receive: (bytes: Uint8Array) => void): void {
    this.#receivePacketIn = receive;
  }

  schedulePort(port: PortNumber, at: Instant): void {
    this.#timers.schedule(port, at);
    this.#readiness.wake();
  }

  readonly #turn = (): void => {
    if (!this.#running) {
      this.#finish();
      return;
    }
    try {
      const received = this.#round();
      this.#idleRounds = received > 0 ? 0 : this.#idleRounds + 1;
    } catch (error) {
      this.#running = false;
      this.#finish();
      this.#onFailure(error);
      return;
    }
    this.#waitForWork();
  };

  /** Handles what has arrived and what is due; returns how many frames arrived. */
  #round(): number {
    if (this.#failure !== undefined) throw this.#failure.error;
    const device = this.#device;
    if (device === undefined) return 0;
    this.#depart(device);
    let received = 0;
    for (const live of this.#ports.values()) {
      const { port } = live;
      received += live.drain(BATCH, (bytes) =>
        device.handlePacket(this.now(), port, { bytes, length: bytes.length }),
      );
    }
    device.advanceTo(this.now());
    this.#depart(device);
    for (const live of this.#ports.values()) live.flush();
    return received;
  }

  /**
   * Frees ports at the instants when their links became free, however late this process got its
   * turn: a link of 100 Mb/s would lose half its rate to a lateness of 80 us per packet.
   */
  #depart(device: DrivenSwitch): void {
    this.#timers.run(this.#clock(), (port, at) => {
      this.#present = Math.max(this.#present, at);
      device.handlePortFree(port, this.#present);
    });
  }

  #waitForWork(): void {
    const next = this.#timers.next();
    const waitNs = next === undefined ? SLEEP_NS : (next - this.#clock()) / PS_PER_NS;
    if (this.#idleRounds < IDLE_ROUNDS || waitNs <= 0) {
      setImmediate(this.#turn);
      return;
    }
    for (const live of this.#ports.values()) live.beforeSleep();
    if (this.#readinessIsStale) this.#renewReadiness();
    this.#readiness.wait(waitNs, this.#turn);
  }

  #portsChanged(): void {
    this.#readinessIsStale = true;
    this.#readiness.wake();
  }

  #renewReadiness(): void {
    this.#readiness.close();
    this.#readiness = new Readiness([...this.#ports.values()].map(({ fd }) => fd));
    this.#readinessIsStale = false;
  }

  #finish(): void {
    for (const live of this.#ports.values()) {
      live.flush();
      this.#close(live);
    }
    this.#ports.clear();
    this.#byNumber.length = 0;
    this.#readiness.close();
    this.#onStopped?.();
  }

  #close(live: DataPort): void {
    this.#closed.push(live.counters());
    live.close();
  }
}
