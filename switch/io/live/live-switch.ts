import { microseconds, milliseconds } from '../../../common/units/units';
import { InputError } from '../../../common/errors';
import { LiveLoop } from '../../../common/io/loop/live-loop';
import type { LiveWork } from '../../../common/io/loop/live-loop';
import { Arrivals } from './arrivals';
import type { Packet } from '../../../common/packet/packet';
import type {
  BitsPerSecond,
  Duration,
  Instant,
  InstantCell,
  PortNumber,
} from '../../../common/units/units';
import type { SwitchOutput } from '../../v1model/options';
import type { DataPort, LivePortCounters } from './data-port';
import type { Clock } from '../../../common/io/monotonic-clock';

/**
 * When ports want to be called again. Few ports wait at a time, so a list is the fastest heap.
 *
 * PERF: instants in an array of their own cost no allocation, and every packet has one.
 */
export class PortTimers {
  readonly #ports: PortNumber[] = [];
  readonly #instants: Instant[] = [];

  schedule(port: PortNumber, at: Instant): void {
    this.#ports.push(port);
    this.#instants.push(at);
  }

  /** The earliest instant of all timers. */
  next(): Instant | undefined {
    return this.#instants[this.#earliestIndex()];
  }

  /**
   * Calls `handle` for all that is due at `now`, in order of time, also what that adds; returns how
   * often.
   * @param handle gets the instant that the port wanted, which is `now` or earlier.
   */
  run(now: Instant, handle: (port: PortNumber, at: Instant) => void): number {
    const [ports, instants] = [this.#ports, this.#instants];
    for (let count = 0; ; count++) {
      const index = this.#earliestIndex();
      const [port, at] = [ports[index], instants[index]];
      if (port === undefined || at === undefined || at > now) return count;
      removeAt(ports, index);
      removeAt(instants, index);
      handle(port, at);
    }
  }

  /** Index of the earliest timer; among equal instants, the one that was set first. */
  #earliestIndex(): number {
    const instants = this.#instants;
    let best = 0;
    for (let i = 1; i < instants.length; i++) {
      if ((instants[i] as Instant) < (instants[best] as Instant)) best = i;
    }
    return best;
  }
}

/** Without the list that `splice` makes. */
function removeAt(list: number[], index: number): void {
  for (let i = index + 1; i < list.length; i++) list[i - 1] = list[i] as number;
  list.length--;
}

/** Interval of the ports' deferred work; captures are so far behind at most. */
const SLOW_THINGS_EVERY: Duration = milliseconds(10);
/** Ports that nothing can wait for are looked at so often. */
const POLL_EVERY: Duration = milliseconds(10);

/** The switch that the driver runs; it has no clock and no sockets of its own. */
export interface DrivenSwitch {
  handlePacket(now: Instant, port: PortNumber, packet: Packet): void;
  handlePortFree(port: PortNumber, now: Instant): void;
  /** Moves the present on that idle times are measured from. */
  advanceTo(now: Instant): void;
}

/** Carries the packets of ports without an interface. */
export interface PacketExchange {
  /** Sends a packet without keeping its bytes; false when there is no receiver. */
  send(port: PortNumber, packet: Packet): boolean;
  counters(): LivePortCounters;
}

export interface LiveSwitchOptions {
  readonly clock: Clock;
  /** Time for which packets that come fast may be gathered, so that one wake-up serves several. */
  readonly gather?: Duration;
  /** Rates of the links at the ports, in both directions, where they are known. */
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
  /** True if some port has no descriptor to wait on, so that ports must be polled. */
  #mustPoll = false;
  #hasDeferredWork = false;
  readonly #timers = new PortTimers();
  readonly #arrivals: Arrivals;
  #device: DrivenSwitch | undefined;
  /** The instant of the device's last call; it never goes back. */
  #present: Instant = 0;
  readonly #loop: LiveLoop;
  #deferredWorkAt: Instant = Infinity;
  #pollAt: Instant = Infinity;
  #receivePacketIn: ((bytes: Uint8Array) => void) | undefined;
  #running = false;
  #exchange: PacketExchange | undefined;
  /** An error outside the turns, which the next turn reports. */
  #failure: { readonly error: unknown } | undefined;
  /** Counters of ports that have lost their interface. */
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
      clock,
      work: this,
      gather,
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

  /** Makes ports without an interface use the exchange. */
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

  /** True if packets wait for their time to leave. */
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

  /** Sets the receiver of the CPU port's packets. */
  onPacketIn(receive: (bytes: Uint8Array) => void): void {
    this.#receivePacketIn = receive;
  }

  schedulePort(port: PortNumber, at: InstantCell): void {
    this.#timers.schedule(port, at[0] as number);
    this.#loop.wake();
  }

  /** Handles what has arrived and what is due. */
  round(now: Instant): number {
    if (this.#failure !== undefined) throw this.#failure.error;
    const device = this.#device;
    if (device === undefined) return 0;
    const ports = this.#list;
    let handled = this.#arrivals.take(ports, this.#present, now);
    handled += this.#timers.run(now, this.#depart);
    device.advanceTo(this.now());
    for (const live of ports) live.flush();
    this.#doDeferredWork(handled);
    this.#pollAt = this.#mustPoll ? this.#present + POLL_EVERY : Infinity;
    return handled;
  }

  nextAt(): Instant {
    return Math.min(this.#timers.next() ?? Infinity, this.#deferredWorkAt, this.#pollAt);
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
  #doDeferredWork(handled: number): void {
    if (handled > 0) {
      if (!this.#hasDeferredWork) return;
      if (this.#deferredWorkAt === Infinity)
        this.#deferredWorkAt = this.#present + SLOW_THINGS_EVERY;
      if (this.#present < this.#deferredWorkAt) return;
    }
    this.#deferredWorkAt = Infinity;
    for (const live of this.#list) live.doDeferredWork();
  }

  #portsChanged(): void {
    const ports = [...this.#ports.values()];
    this.#list = ports;
    this.#mustPoll = ports.some(({ fd }) => fd < 0);
    this.#hasDeferredWork = ports.some(({ hasDeferredWork }) => hasDeferredWork);
  }

  #close(live: DataPort): void {
    this.#closed.push(live.counters());
    live.close();
  }
}
