import { NO_SESSION } from '../executor/executor';
import { sampleOf, DROPPED, MULTICAST } from './pipeline';
import { FifoQueue } from './packet-queue';
import type { Packet } from '../../common/packet/packet';
import type { Bytes, Instant, InstantCell, PortNumber } from '../../common/units/units';
import type { DigestSink } from '../control/program-control';
import type { CloneSession, Replica, CloneSessionControl } from '../control/packet-control';
import type { FieldListLayout } from '../ir/nodes';
import type { MulticastGroups } from '../state/multicast-groups';
import type { OutputPort } from './output-port';
import type { InFlight } from './in-flight';
import type { Pipeline } from './pipeline';
import type { DropReason } from './switch-counters';
import type { TrafficManager } from './traffic-manager';
import { StateError } from '../control/table-control';

/** Parts of the switch that the flow of packets uses. */
export interface FlowOptions {
  readonly pipeline: Pipeline;
  readonly digests: ReadonlyMap<number, FieldListLayout>;
  readonly traffic: TrafficManager<InFlight>;
  readonly multicast: MulticastGroups;
  readonly cloneSessions: CloneSessions;
  readonly portsDown: ReadonlySet<PortNumber>;
  /** The giver of a packet takes its bytes back when all immediate work is done. */
  readonly lendsPackets: boolean;
  readonly learn: DigestSink;
  readonly drop: (reason: DropReason) => void;
  readonly transmit: (port: PortNumber, packet: Packet, start: Instant, end: InstantCell) => void;
  readonly schedulePort: (port: PortNumber, at: InstantCell) => void;
}

/** A packet that is copied or sent back more often is in a loop that would never end. */
const PASS_LIMIT = 1000;

/**
 * The ways of packets through one program, in the order of simple_switch:
 *
 *   ingress -> clone, digest, then one of: resubmit, multicast, drop, unicast
 *   egress  -> clone, then one of: drop, recirculate, output
 *
 * Nothing calls itself: packets for ingress and ports with new packets wait in lists until the step
 * that made them is over.
 */
export class PacketFlow {
  readonly #options: FlowOptions;
  readonly #pipeline: Pipeline;
  /** Packets for ingress again, parsed. */
  readonly #arrivals = new FifoQueue<InFlight>();
  /** The first port that has got packets, and the others. PERF: nearly always there is one. */
  #first: OutputPort<InFlight> | undefined;
  readonly #touched = new FifoQueue<OutputPort<InFlight>>();
  /** Packets that entered a queue in this step, as far as their bytes may be lent. */
  readonly #entered: InFlight[] = [];

  constructor(options: FlowOptions) {
    this.#options = options;
    this.#pipeline = options.pipeline;
  }

  /** Takes a packet in and does everything that follows at this instant. */
  receive(packet: Packet, port: PortNumber, now: Instant): void {
    this.#ingress(this.#pipeline.receive(packet, port, now), now);
    this.#settle(now);
  }

  /** Sends what can leave a port now and does everything that follows at this instant. */
  serve(output: OutputPort<InFlight>, now: Instant): void {
    this.#touch(output);
    this.#settle(now);
  }

  /** Forgets packets that were taken out of a queue to be dropped. */
  discard(flights: readonly InFlight[]): void {
    for (const flight of flights) this.#pipeline.release(flight);
  }

  #settle(now: Instant): void {
    for (;;) {
      const flight = this.#arrivals.packets === 0 ? undefined : this.#arrivals.dequeue();
      if (flight !== undefined) {
        this.#ingress(flight, now);
        continue;
      }
      const output = this.#nextTouched();
      if (output === undefined) break;
      this.#servePort(output, now);
    }
    if (this.#entered.length > 0) this.#keepWaiting();
  }

  #touch(output: OutputPort<InFlight>): void {
    if (this.#first === undefined && this.#touched.packets === 0) this.#first = output;
    else this.#touched.enqueue(output, 0);
  }

  #nextTouched(): OutputPort<InFlight> | undefined {
    const first = this.#first;
    if (first === undefined)
      return this.#touched.packets === 0 ? undefined : this.#touched.dequeue();
    this.#first = undefined;
    return first;
  }

  /** Most packets leave at once, and are never copied. */
  #keepWaiting(): void {
    // PERF: setting the length of an array takes longer than taking its elements out.
    for (let flight = this.#entered.pop(); flight; flight = this.#entered.pop()) {
      if (flight.waits) this.#pipeline.keepBytes(flight);
    }
  }

  #ingress(flight: InFlight, now: Instant): void {
    const { requests } = flight.state;
    this.#pipeline.ingress(flight, now);
    if (requests.cloneSession !== NO_SESSION) this.#cloneIngress(flight, now);
    if (requests.digest !== 0) this.#learn(flight);
    if (requests.resubmit !== 0) {
      if (!this.#maySendBack(flight)) return;
      this.#sendBack(flight, this.#pipeline.resubmit(flight, requests.resubmit, now));
      return;
    }
    this.#forward(flight, now);
  }

  /** Sends a packet to where ingress wants it. */
  #forward(flight: InFlight, now: Instant): void {
    const verdict = this.#pipeline.verdict(flight);
    if (verdict === MULTICAST) {
      const replicas = this.#options.multicast.replicas(this.#pipeline.multicastGroup(flight));
      this.#replicate(flight, replicas, now);
      if (replicas.length > 0) this.#pipeline.release(flight);
      else this.#drop(flight, 'empty-group');
    } else if (verdict === DROPPED) {
      this.#drop(flight, 'ingress-drop');
    } else {
      this.#enqueue(flight, verdict, now, true);
    }
  }

  #cloneIngress(flight: InFlight, now: Instant): void {
    const { requests } = flight.state;
    const session = this.#options.cloneSessions.session(requests.cloneSession);
    requests.cloneSession = NO_SESSION;
    if (session === undefined) return;
    this.#sendClone(this.#pipeline.cloneIngress(flight, requests.cloneFields, now), session, now);
  }

  #cloneEgress(flight: InFlight, now: Instant): void {
    const { requests } = flight.state;
    const session = this.#options.cloneSessions.session(requests.cloneSession);
    requests.cloneSession = NO_SESSION;
    if (session === undefined) return;
    this.#sendClone(this.#pipeline.cloneEgress(flight, requests.cloneFields), session, now);
  }

  /** To the session's multicast group first, then to its own replicas. */
  #sendClone(clone: InFlight, session: CloneSession, now: Instant): void {
    if (clone.passes > PASS_LIMIT) {
      this.#drop(clone, 'pass-limit');
      return;
    }
    const { requests } = clone.state;
    requests.truncateTo = session.packetLengthMax ?? Infinity;
    const { multicastGroup: group, replicas } = session;
    if (group !== undefined) {
      this.#replicate(clone, this.#options.multicast.replicas(group), now);
    }
    this.#replicate(clone, replicas, now);
    this.#pipeline.release(clone);
  }

  #replicate(flight: InFlight, replicas: readonly Replica[], now: Instant): void {
    for (const replica of replicas) {
      const { port, instance } = this.#reachable(replica);
      this.#enqueue(this.#pipeline.replicate(flight, instance), port, now);
    }
  }

  /** The replica, or its first backup whose port is up when its own is down. */
  #reachable(replica: Replica): { readonly port: PortNumber; readonly instance: number } {
    const { portsDown } = this.#options;
    if (!portsDown.has(replica.port)) return replica;
    return replica.backups?.find(({ port }) => !portsDown.has(port)) ?? replica;
  }

  #learn(flight: InFlight): void {
    const digest = this.#options.digests.get(flight.state.requests.digest);
    flight.state.requests.digest = 0;
    if (digest !== undefined) this.#options.learn(digest.name, sampleOf(digest, flight.state));
  }

  /** True if the packet may go to ingress again; otherwise drops it. */
  #maySendBack(flight: InFlight): boolean {
    if (flight.passes < PASS_LIMIT) return true;
    this.#drop(flight, 'pass-limit');
    return false;
  }

  /** The packet itself ends here; what was made of it goes to ingress. */
  #sendBack(flight: InFlight, again: InFlight): void {
    this.#arrivals.enqueue(again, 0);
    this.#pipeline.release(flight);
  }

  /**
   * Sends a packet to its port.
   * @param isLast true if nothing else comes of its step but of the packet itself. PERF: most then find nothing
   *   else to be served and their port idle, and pass the queue by.
   */
  #enqueue(flight: InFlight, port: PortNumber, now: Instant, isLast = false): void {
    const output = this.#options.traffic.port(port);
    if (output === undefined) {
      this.#drop(flight, 'unknown-port');
      return;
    }
    const priority = this.#pipeline.priority(flight);
    if (priority >= output.priorities) {
      this.#drop(flight, 'unknown-priority');
      return;
    }
    flight.priority = priority;
    this.#pipeline.enqueue(flight, now, output.depth(priority));
    const isAlone = isLast && !this.#hasMore();
    if (isAlone && output.isIdle(now, waitingBytes(flight), priority)) {
      this.#depart(output, flight, now);
      // Copies of the packet may have come to its port, which goes on with them before other ports.
      if (this.#first !== undefined) this.#servePort(output, now);
    } else {
      this.#queue(flight, output, now);
    }
  }

  /** True if packets wait for ingress, or ports to be served. PERF: the engine calls private getters by its runtime. */
  #hasMore(): boolean {
    return this.#first !== undefined || this.#touched.packets > 0 || this.#arrivals.packets > 0;
  }

  #queue(flight: InFlight, output: OutputPort<InFlight>, now: Instant): void {
    if (output.enqueue(flight, waitingBytes(flight), flight.priority, now)) {
      flight.waits = true;
      if (this.#options.lendsPackets) this.#entered.push(flight);
      this.#touch(output);
    } else {
      this.#drop(flight, output.refusalOf(flight.priority));
    }
  }

  /** Sends the packets that may leave now, and schedules a wake-up for those that must wait. */
  #servePort(output: OutputPort<InFlight>, now: Instant): void {
    for (;;) {
      const flight = output.dequeue(now);
      if (flight === undefined) break;
      this.#depart(output, flight, now);
    }
    output.notePeak(now);
    const next = output.nextDeparture();
    const { wakeupAt } = output;
    if ((wakeupAt[0] as number) <= next) return;
    wakeupAt[0] = next;
    this.#options.schedulePort(output.port, wakeupAt);
  }

  #depart(output: OutputPort<InFlight>, flight: InFlight, now: Instant): void {
    const { requests } = flight.state;
    const { port } = output;
    flight.waits = false;
    this.#pipeline.egress(flight, port, now, output.depth(flight.priority));
    if (requests.cloneSession !== NO_SESSION) this.#cloneEgress(flight, now);
    const packet = this.#pipeline.emit(flight);
    if (packet === undefined) {
      this.#drop(flight, 'egress-drop');
      return;
    }
    if (requests.recirculate !== 0) {
      if (!this.#maySendBack(flight)) return;
      const list = requests.recirculate;
      this.#sendBack(flight, this.#pipeline.recirculate(flight, packet, list, now));
      return;
    }
    this.#pipeline.release(flight);
    this.#options.transmit(port, packet, now, output.start(now, packet.length));
  }

  #drop(flight: InFlight, reason: DropReason): void {
    this.#pipeline.release(flight);
    this.#options.drop(reason);
  }
}

/** Bytes with which a packet waits: those that are cut off when it leaves take no room. */
const waitingBytes = ({ packet, state }: InFlight): Bytes =>
  Math.min(packet.length, state.requests.truncateTo);

/** Ids of sessions have 15 bits. */
const SESSION_MAX = 0x7fff;

/** Destinations of clones, by session. A clone of a session that does not exist goes nowhere. */
export class CloneSessions implements CloneSessionControl {
  readonly #sessions = new Map<number, CloneSession>();

  /** @throws StateError when the id does not fit into 15 bits. */
  setSession(sessionId: number, session: CloneSession): void {
    if (!Number.isInteger(sessionId) || sessionId < 0 || sessionId > SESSION_MAX) {
      const wanted = `wanted a clone session from 0 to ${SESSION_MAX}`;
      throw new StateError('invalid', `${wanted}, found ${sessionId}`);
    }
    this.#sessions.set(sessionId, session);
  }

  deleteSession(sessionId: number): void {
    this.#sessions.delete(sessionId);
  }

  session(sessionId: number): CloneSession | undefined {
    return this.#sessions.get(sessionId);
  }

  clear(): void {
    this.#sessions.clear();
  }
}
