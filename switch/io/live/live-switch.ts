import { microseconds, milliseconds } from '../../../common/units/units';
import { InputError } from '../../../common/errors';
import { LiveLoop } from '../../../common/io/loop/live-loop';
import type { LiveWork } from '../../../common/io/loop/live-loop';
import { Arrivals } from './arrivals';
import { PortTimers } from './port-timers';
import type { Packet } from '../../../common/packet/packet';
import type { BitsPerSecond, Duration, Instant, PortNumber } from '../../../common/units/units';
import type { SwitchOutput } from '../../v1model/options';
import type { DataPort, LivePortCounters } from './data-port';
import type { Clock } from '../../../common/io/monotonic-clock';

/** After so long the ports do what is slow; captures are so far behind at most. */
const SLOW_THINGS_EVERY: Duration = milliseconds(10);
/** Ports that nothing can wait for are looked at so often. */
const POLL_EVERY: Duration = milliseconds(10);

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
  /** How long packets that come fast may be gathered, so that one wake-up serves several. */
  readonly gather?: Duration;
  /** Of the links at the ports, in both directions, where they are known. */
  readonly linkRates?: ReadonlyMap<PortNumber, BitsPerSecond>;
  /** Called once when the switch cannot go on. */
  readonly onFailure: (error: unknown) => void;
}

/** Short against round-trip times in Mininet, long against what a wake-up costs. */
const GATHER: Duration = microseconds(100);

/**
 * Drives a switch by the machine's clock and its network interfaces: frames in, frames out, and
 * wake-ups when they are due. Everything runs on the main thread, between the calls of control
 * servers, so control and data plane need no locks.
 */
export class LiveSwitch implements SwitchOutput, LiveWork {
  /** {@link DataPort.send} keeps copies. */
  readonly copiesPackets = true;
  /** Frames are read in the memory that the kernel writes them to. */
  readonly lendsPackets = true;
  /** Packets for ports that lead nowhere. */
  unattached = 0;
  readonly #clock: Clock;
  readonly #ports = new Map<PortNumber, DataPort>();
  readonly #byNumber: (DataPort | undefined)[] = [];
  /** The same ports, as each round goes through them. */
  #list: readonly DataPort[] = [];
  /** Whether nothing can wait for the frames of some port. */
  #mustPoll = false;
  #hasSlowThings = false;
  readonly #timers = new PortTimers();
  readonly #arrivals: Arrivals;
  #device: DrivenSwitch | undefined;
  /** The instant that the device was last told; it never goes back. */
  #present: Instant = 0;
  readonly #loop: LiveLoop;
  #slowThingsAt: Instant = Infinity;
  #pollAt: Instant = Infinity;
  #receivePacketIn: ((bytes: Uint8Array) => void) | undefined;
  #running = false;
  #exchange: PacketExchange | undefined;
  /** What went wrong outside the turns, which is for the next turn to report. */
  #failure: { readonly error: unknown } | undefined;
  /** Of ports that have lost their interface. */
  readonly #closed: LivePortCounters[] = [];

  /**
   * Frees a port at the instant when its link became free, however late this process got its turn: a
   * link of 100 Mb/s would lose half its rate to a lateness of 80 us per packet.
   */
  readonly #depart = (port: PortNumber, at: Instant): void => {
    this.#present = Math.max(this.#present, at);
    this.#device?.handlePortFree(port, this.#present);
  };
  readonly #arrive = (port: PortNumber, at: Instant, bytes: Uint8Array): void => {
    this.#timers.run(at, this.#depart);
    this.#present = at;
    this.#device?.handlePacket(at, port, { bytes, length: bytes.length });
  };

  constructor({ clock, onFailure, gather = GATHER, linkRates = new Map() }: LiveSwitchOptions) {
    this.#clock = clock;
    this.#arrivals = new Arrivals(linkRates, this.#arrive);
    this.#loop = new LiveLoop({
      ...{ clock, work: this, gather },
      onFailure: (error) => {
        this.#running = false;
        onFailure(error);
      },
    });
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
    this.#loop.watch(port.fd);
  }

  /** Returns false when the port has no interface. */
  detach(number: PortNumber): boolean {
    const port = this.#ports.get(number);
    if (port === undefined) return false;
    this.#ports.delete(number);
    this.#byNumber[number] = undefined;
    this.#portsChanged();
    this.#loop.unwatch(port.fd);
    this.#close(port);
    return true;
  }

  /** A port whose interface was made again has another descriptor to wait for. */
  interfaceRenewed(before: number, fd: number): void {
    this.#loop.unwatch(before);
    this.#loop.watch(fd);
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
      this.#loop.wake();
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
    this.#loop.start();
  }

  /** Sends what waits for the interfaces and closes them. */
  stop(): Promise<void> {
    this.#running = false;
    return this.#loop.stop();
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
    this.#loop.wake();
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
    this.#loop.wake();
  }

  /** Handles what has arrived and what is due. */
  round(): number {
    if (this.#failure !== undefined) throw this.#failure.error;
    const device = this.#device;
    if (device === undefined) return 0;
    const ports = this.#list;
    const now = this.#clock();
    let handled = this.#arrivals.take(ports, this.#present, now);
    handled += this.#timers.run(now, this.#depart);
    device.advanceTo(this.now());
    for (const live of ports) live.flush();
    this.#doSlowThings(handled);
    this.#pollAt = this.#mustPoll ? this.#present + POLL_EVERY : Infinity;
    return handled;
  }

  nextAt(): Instant {
    return Math.min(this.#timers.next() ?? Infinity, this.#slowThingsAt, this.#pollAt);
  }

  finish(): void {
    for (const live of this.#ports.values()) {
      live.flush();
      this.#close(live);
    }
    this.#ports.clear();
    this.#portsChanged();
    this.#byNumber.length = 0;
  }

  /** Also when it was woken for nothing: an error at a socket would wake it for ever. */
  #doSlowThings(handled: number): void {
    if (handled > 0) {
      if (!this.#hasSlowThings) return;
      if (this.#slowThingsAt === Infinity) this.#slowThingsAt = this.#present + SLOW_THINGS_EVERY;
      if (this.#present < this.#slowThingsAt) return;
    }
    this.#slowThingsAt = Infinity;
    for (const live of this.#list) live.doSlowThings();
  }

  #portsChanged(): void {
    const ports = [...this.#ports.values()];
    this.#list = ports;
    this.#mustPoll = ports.some(({ fd }) => fd < 0);
    this.#hasSlowThings = ports.some(({ hasSlowThings }) => hasSlowThings);
  }

  #close(live: DataPort): void {
    this.#closed.push(live.counters());
    live.close();
  }
}
