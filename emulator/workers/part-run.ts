import { assert } from '../../common/assert';
import type { Packet } from '../../common/packet/packet';
import type { Duration, Instant } from '../../common/units/units';
import type { ObservationBatch } from '../coordination/observation-rows';
import type { Channel, ChannelExit } from '../network/channel';
import type { Simulation } from '../simulation/simulation';
import type { PartProgress } from './board';
import { Board } from './board';
import { Ring } from './ring';
import type { Crossing } from './ring';
import type { SharedMemory } from './shared-memory';

/** Position of a worker among the workers of a run. */
export interface Place {
  readonly worker: number;
  /** Worker of each node. */
  readonly owners: ReadonlyMap<string, number>;
  readonly memory: SharedMemory;
  readonly workers: number;
}

const EVENTS_PER_STEP = 20_000;

/** Packets that leave a part, in the order in which they were sent, as far as there is room for them. */
export class Outlets implements ChannelExit {
  readonly #place: Place;
  readonly #rings: readonly (Ring | undefined)[];
  /** Packets without room, by worker. */
  readonly #waiting: Crossing[][];
  readonly #numbers = new Map<Channel, { readonly channel: number; readonly to: number }>();
  #overflows = 0;
  #earliest: Instant = Infinity;

  constructor(place: Place) {
    this.#place = place;
    const rings = place.memory.rings[place.worker] ?? [];
    this.#rings = rings.map((memory) => memory && new Ring(memory));
    this.#waiting = rings.map(() => []);
  }

  /** Numbers the channels of the network, which exist later than their exits. */
  connect(channels: readonly Channel[]): void {
    channels.forEach((channel, i) => {
      const to = this.#place.owners.get(channel.to.node.name);
      assert(to !== undefined, `somebody runs ${channel.to.node.name}`);
      this.#numbers.set(channel, { channel: i, to });
    });
  }

  send(channel: Channel, at: Instant, packet: Packet): void {
    const number = this.#numbers.get(channel);
    assert(number !== undefined, `${channel.name} is a channel of the network`);
    if (at < this.#earliest) this.#earliest = at;
    const crossing = { channel: number.channel, at, packet };
    const waiting = this.#waiting[number.to] as Crossing[];
    if (waiting.length === 0 && this.#rings[number.to]?.write(crossing) === true) return;
    waiting.push({ ...crossing, packet: copyOf(packet) });
    this.#overflows++;
  }

  get overflows(): boolean {
    return this.#overflows > 0;
  }

  /** Writes what has waited for room. */
  flush(): void {
    this.#waiting.forEach((waiting, to) => {
      const blocked = waiting.findIndex((crossing) => this.#rings[to]?.write(crossing) !== true);
      const written = blocked < 0 ? waiting.length : blocked;
      waiting.splice(0, written);
      this.#overflows -= written;
    });
  }

  /** When the first packet arrives of those that were sent since {@link forget}. */
  get earliest(): Instant {
    return this.#earliest;
  }

  forget(): void {
    this.#earliest = Infinity;
  }
}

/**
 * State of a part; `exchanging`: packets for others found no room, so the workers must exchange
 * again.
 */
export type PartState = 'running' | 'exchanging' | 'done' | 'stopped';

/**
 * Runs a part of a network in windows of virtual time, together with others that run the rest:
 * events elsewhere in a window have no effect here before its end, since no link between the parts
 * is shorter.
 *
 *     run()    until it returns true; false: the controller has to act first
 *     say()    publishes what the others need to know
 *     hear()   once all have done so
 *
 * Observations of coordination go out in batches, of all parts for the same span of virtual time.
 */
export class PartRun {
  readonly #simulation: Simulation;
  readonly #worker: number;
  readonly #outlets: Outlets;
  readonly #inlets: readonly Ring[];
  readonly #board: Board;
  /** The shortest link between two parts. */
  readonly #lookahead: Duration;
  readonly #send: (batch: ObservationBatch) => void;
  /** The last instant of the present window. */
  #windowEnd: Instant = 0;

  /** @param send takes what is observed; it may wait for who reads it */
  constructor(
    simulation: Simulation,
    outlets: Outlets,
    place: Place,
    send: (batch: ObservationBatch) => void = () => undefined,
  ) {
    const { memory, worker, workers, owners } = place;
    this.#simulation = simulation;
    this.#worker = worker;
    this.#outlets = outlets;
    this.#send = send;
    this.#inlets = memory.rings.flatMap((rings, from) => {
      const ring = rings[worker];
      return from === worker || ring === undefined ? [] : [new Ring(ring)];
    });
    this.#board = new Board(memory.board, workers);
    const { channels } = simulation.network;
    outlets.connect(channels);
    this.#lookahead = channels
      .filter(({ from, to }) => owners.get(from.node.name) !== owners.get(to.node.name))
      .reduce((least, { delay }) => Math.min(least, delay), Infinity);
    assert(this.#lookahead > 0, 'links between parts take time');
  }

  /** Runs the present window. Returns false where virtual time has to wait for the controller. */
  run(): boolean {
    const { time, links } = this.#simulation;
    while (!links.isControllerDue && time.run(this.#windowEnd, EVENTS_PER_STEP));
    return !links.isControllerDue;
  }

  /** @param stops whether the run shall end here; one worker says so for all. */
  say(stops: boolean): void {
    const { time, runner, lastFinish, coordination } = this.#simulation;
    this.#outlets.flush();
    const next = Math.min(this.#outlets.earliest, time.nextTime ?? Infinity);
    const { overflows } = this.#outlets;
    const { finished } = runner;
    const sends = coordination?.log?.isFull === true;
    this.#board.write(this.#worker, { next, finished, lastFinish, overflows, stops, sends });
  }

  /** All have said what there is; all see the same, so that all do the same. */
  hear(): PartState {
    this.#drain();
    const { next, finished, lastFinish, overflows, stops, sends } = this.#board.read();
    if (overflows) return 'exchanging';
    this.#outlets.forget();
    this.#simulation.flowsFinished(finished, lastFinish);
    const isDone = next > this.#simulation.lastInstant;
    if (sends || isDone || stops) this.#sendObservations();
    if (isDone) return 'done';
    this.#openWindow(next);
    return stops ? 'stopped' : 'running';
  }

  #sendObservations(): void {
    const { coordination } = this.#simulation;
    if (coordination?.log !== undefined) this.#send(coordination.log.take());
  }

  /** Publishes the progress of this part. */
  showProgress(progress: PartProgress): void {
    this.#board.writeProgress(this.#worker, progress);
  }

  #openWindow(start: Instant): void {
    const { lastInstant, period } = this.#simulation;
    // No window contains an instant at which a run may end.
    const periodEnd = (Math.floor(start / period) + 1) * period - 1;
    this.#windowEnd = Math.min(start + this.#lookahead - 1, periodEnd, lastInstant);
  }

  #drain(): void {
    const { channels, packets } = this.#simulation.network;
    for (const inlet of this.#inlets) {
      inlet.drain(({ channel, at, packet }) => {
        channels[channel]?.enter(at, packets?.copyOf(packet) ?? copyOf(packet));
      });
    }
  }
}

function copyOf({ bytes, length, tail, id }: Packet): Packet {
  return { bytes: bytes.slice(), length, tail: tail?.slice(), id };
}
