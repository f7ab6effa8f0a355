import { parsePause, emitPause, PAUSE_CLASSES } from '../../common/wire/ip/mac-control';
import { switchPortMac } from '../../common/topology/topology';
import { SharedBuffer } from '../buffer/shared-buffer';
import { LosslessPort, quantaTime } from './lossless-port';
import type { Bytes, Duration, Instant, PortNumber } from '../../common/units/units';
import type { BufferGroup, BufferOptions, BufferPeaks } from '../buffer/shared-buffer';
import type { Buffered, BufferedLink, PauseCounters, StormedQueue } from './lossless-port';
import type { LinkPortOptions, QueueUnit, SwitchOutput } from './options';
import type { PauseWatch, Place, StormNotice } from './pause-watch';

/** Pause and resume frames that a switch has sent, and packets that it refused. */
export interface PauseRequests {
  readonly pauses: number;
  readonly resumes: number;
  /** Packets of lossless priorities that found no room: a fault of the headroom. */
  readonly losslessDrops: number;
  /** Packets of other priorities that found no room. */
  readonly lossyDrops: number;
  /** Queues whose packets pauses let not go, as the watchdog found, and packets that it dropped. */
  readonly storms: number;
  readonly stormDrops: number;
}

export interface PauseControlOptions {
  readonly buffer: BufferOptions;
  readonly ports: readonly LinkPortOptions[];
  readonly priorities: number;
  readonly unit: QueueUnit;
  readonly output: SwitchOutput;
  /** Packets that waited were dropped because of a storm. */
  readonly dropped: (packets: number) => void;
  readonly watch?: PauseWatch | undefined;
  readonly stormed?: ((notice: StormNotice) => void) | undefined;
}

/** Accounts of one port as ingress or, in priorities that lose packets, as egress. */
type Groups = readonly BufferGroup[];

/**
 * Priority-based flow control (IEEE 802.1Q clause 36) of a switch: its shared memory, the requests that
 * it sends to those who fill it, and the requests of others that it obeys.
 *
 *     arrival -> admitted -> group over its threshold? -> pause frame to the port where it came from
 *     departure -> group below it again? -> frame with time 0
 *
 * A pause that is still wanted is repeated when half of its time is over.
 */
export class PauseControl<Item extends Buffered> implements BufferedLink<Item> {
  readonly #o: PauseControlOptions;
  readonly #buffer: SharedBuffer;
  readonly #ports: (LosslessPort<Item> | undefined)[] = [];
  readonly #groups: (Groups | undefined)[] = [];
  readonly #isLossless: readonly boolean[];
  readonly #counts = {
    pauses: 0,
    resumes: 0,
    losslessDrops: 0,
    lossyDrops: 0,
    storms: 0,
    stormDrops: 0,
  };

  /** @throws InputError when the memory is too small for its reserves. */
  constructor(options: PauseControlOptions) {
    this.#o = options;
    const { buffer, priorities } = options;
    this.#isLossless = Array.from(
      { length: priorities },
      (_, priority) => buffer.lossless?.priorities.includes(priority) === true,
    );
    const numbers = options.ports.map(({ port }) => port);
    this.#buffer = new SharedBuffer(buffer, numbers, priorities);
    for (const port of numbers) {
      this.#groups[port] = this.#isLossless.map((isLossless, priority) =>
        this.#buffer.group(priority, isLossless ? (buffer.lossless?.headroomBytes(port) ?? 0) : 0),
      );
    }
  }

  get peaks(): BufferPeaks {
    return this.#buffer.peaks;
  }

  get requests(): PauseRequests {
    return this.#counts;
  }

  /** The ports of the switch are made here, each once. */
  createPort(options: LinkPortOptions): LosslessPort<Item> {
    const { priorities, unit } = this.#o;
    const { watchdog } = this.#o.buffer.lossless ?? {};
    const shape = { priorities, unit, isLossless: this.#isLossless, watchdog };
    const port = new LosslessPort<Item>(options, shape, this);
    this.#ports[options.port] = port;
    return port;
  }

  port(number: PortNumber): LosslessPort<Item> | undefined {
    return this.#ports[number];
  }

  /** Counters of each priority of a port. */
  pauseCounters(number: PortNumber, now: Instant): PauseCounters[] {
    const port = this.#ports[number];
    return this.#isLossless.flatMap((_, p) => (port ? [port.pauseCounters(p, now)] : []));
  }

  /** A MAC control frame has arrived; others than requests to pause are ignored, as they must be. */
  receive(number: PortNumber, frame: Uint8Array, now: Instant): void {
    const request = parsePause(frame);
    if (request !== undefined) this.#ports[number]?.obey(request, now);
  }

  admit(place: Place, bytes: Bytes, now: Instant): boolean {
    const group = this.#groupOf(place);
    if (group === undefined) return false;
    const isLossless = this.#isLossless[place.priority] === true;
    if (!this.#buffer.admit(group, bytes)) {
      if (isLossless) this.#counts.losslessDrops += 1;
      else this.#counts.lossyDrops += 1;
      return false;
    }
    if (isLossless && !group.isPaused && this.#buffer.mustPause(group)) {
      this.#request(place, group, now);
    }
    return true;
  }

  leave(place: Place, item: Item, held: Duration, now: Instant): void {
    this.discard(place, item.packet.length);
    const group = this.#groupOf(place);
    if (group?.isPaused === true && this.#buffer.mayResume(group)) {
      this.#request(place, group, now);
    }
    if (held > 0) this.#o.watch?.held(place, item.packet, held);
  }

  discard(place: Place, bytes: Bytes): void {
    const group = this.#groupOf(place);
    if (group !== undefined) this.#buffer.release(group, bytes);
  }

  storm({ egress, priority, isStorm }: StormedQueue, dropped: number, now: Instant): void {
    if (isStorm) this.#counts.storms += 1;
    this.#counts.stormDrops += dropped;
    if (dropped > 0) this.#o.dropped(dropped);
    this.#resumeDrained(priority, now);
    this.#o.stormed?.({ port: egress, priority, isStorm, dropped });
  }

  stormDrop(): void {
    this.#counts.stormDrops += 1;
  }

  /** Lets those go on whose packets a storm has dropped. */
  #resumeDrained(priority: number, now: Instant): void {
    this.#groups.forEach((groups, number) => {
      const group = groups?.[priority];
      if (group?.isPaused !== true || !this.#buffer.mayResume(group)) return;
      this.#request({ egress: number, ingress: number, priority }, group, now);
    });
  }

  repeatRequests(number: PortNumber, now: Instant): void {
    const groups = this.#groups[number] ?? [];
    // Packets that were dropped with a program, or with a port, have freed memory without a notice.
    groups.forEach((group, priority) => {
      if (group.isPaused && this.#buffer.mayResume(group)) {
        this.#request({ egress: number, ingress: number, priority }, group, now);
      }
    });
    if (groups.some(({ isPaused }) => isPaused)) this.#send(number, now, 0);
    else this.#setRepeat(number, Infinity);
  }

  /** Packets whose sender cannot be paused, as those of controllers, use only the shared part. */
  #groupOf({ egress, ingress, priority }: Place): BufferGroup | undefined {
    const at = this.#isLossless[priority] === true ? ingress : egress;
    const groups = (this.#groups[at] ??= this.#isLossless.map((_, p) => this.#buffer.guest(p)));
    return groups[priority];
  }

  /** Turns the pause of a group on or off, if the port has a peer. */
  #request(place: Place, group: BufferGroup, now: Instant): void {
    if (this.#ports[place.ingress] === undefined) return;
    group.isPaused = !group.isPaused;
    if (group.isPaused) this.#counts.pauses += 1;
    else this.#counts.resumes += 1;
    this.#o.watch?.requested(place, group.isPaused, now);
    this.#send(place.ingress, now, 1 << place.priority);
  }

  /** Sends what is wanted now: the time of each paused priority, and 0 for those that `changed`. */
  #send(number: PortNumber, now: Instant, changed: number): void {
    const port = this.#ports[number];
    const quanta = this.#o.buffer.lossless?.quanta ?? 0;
    if (port === undefined || quanta === 0) return;
    const paused = (this.#groups[number] ?? []).slice(0, PAUSE_CLASSES);
    const times = paused.map(({ isPaused }) => (isPaused ? quanta : 0));
    const classes = times.reduce((bits, time, p) => (time > 0 ? bits | (1 << p) : bits), changed);
    const bytes = emitPause({ classes, quanta: times }, switchPortMac(0, number));
    const packet = { bytes, length: bytes.length };
    const { start, end } = port.interject(now, bytes.length);
    const { output } = this.#o;
    if (output.transmitControl === undefined) output.transmit(number, packet, start, end);
    else output.transmitControl(number, packet, start, end);
    const wants = times.some((time) => time > 0);
    this.#setRepeat(number, wants ? now + quantaTime(quanta, port.rate) / 2 : Infinity);
  }

  #setRepeat(number: PortNumber, at: Instant): void {
    const port = this.#ports[number];
    if (port === undefined) return;
    port.repeatAt = at === Infinity ? at : Math.ceil(at);
    if ((port.wakeupAt[0] as number) <= port.repeatAt) return;
    port.wakeupAt[0] = port.repeatAt;
    this.#o.output.schedulePort(number, port.wakeupAt);
  }
}
