import { PS_PER_NS } from '../../../common/units/units';
import { InputError } from '../../../common/errors';
import { Readiness } from '../net/readiness';
import { PortTimers } from './port-timers';
import type { Packet } from '../../../common/packet/packet';
import type { Instant, PortNumber } from '../../../common/units/units';
import type { SwitchOutput } from '../../v1model/options';
import type { FrameHandler } from '../net/packet-ring';
import type { LivePortCounters } from './live-port';
import type { Clock } from './monotonic-clock';

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

/** Where frames come from and go to. */
export interface DataPort {
  readonly port: PortNumber;
  readonly interfaceName: string;
  /** Becomes readable when frames have arrived; negative where nothing can wait for them. */
  readonly fd: number;
  /** Hands over up to `limit` frames that have arrived; returns how many. */
  drain(limit: number, handle: FrameHandler): number;
  /** Keeps a copy of a frame for the next {@link flush}. */
  send(frame: Uint8Array): void;
  flush(): void;
  /** Called when there is time for slow things. */
  flushCapture(): void;
  counters(): LivePortCounters;
  close(): void;
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
  /** Packets for ports without an interface. */
  unattached = 0;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #ports = new Map<PortNumber, DataPort>();
  readonly #byNumber: (DataPort | undefined)[] = [];
  readonly #timers = new PortTimers();
  #device: DrivenSwitch | undefined;
  #readiness = new Readiness([]);
  #readinessIsStale = false;
  #idleRounds = 0;
  #receivePacketIn: ((bytes: Uint8Array) => void) | undefined;
  #onStopped: (() => void) | undefined;
  #running = false;
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
    return this.#clock();
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

  /** Counters of all interfaces, also of those that are closed. */
  counters(): LivePortCounters[] {
    return [...this.#closed, ...[...this.#ports.values()].map((live) => live.counters())];
  }

  transmit(port: PortNumber, packet: Packet): void {
    const live = this.#byNumber[port];
    if (live === undefined) this.unattached += 1;
    else live.send(packet.bytes);
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
    const device = this.#device;
    if (device === undefined) return 0;
    let received = 0;
    for (const live of this.#ports.values()) {
      const { port } = live;
      received += live.drain(BATCH, (bytes) =>
        device.handlePacket(this.#clock(), port, { bytes, length: bytes.length }),
      );
    }
    device.advanceTo(this.#clock());
    this.#timers.run(this.#clock(), (port) => device.handlePortFree(port, this.#clock()));
    for (const live of this.#ports.values()) live.flush();
    return received;
  }

  #waitForWork(): void {
    const next = this.#timers.next();
    const waitNs = next === undefined ? SLEEP_NS : (next - this.#clock()) / PS_PER_NS;
    if (this.#idleRounds < IDLE_ROUNDS || waitNs <= 0) {
      setImmediate(this.#turn);
      return;
    }
    for (const live of this.#ports.values()) live.flushCapture();
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
