import { assert } from '../../common/assert';
import { InputError } from '../../common/errors';
import type { Packet } from '../../common/packet/packet';
import type { Duration, Instant } from '../../common/units/units';
import { seconds } from '../../common/units/units';
import type { CongestionControl } from '../algorithm/congestion-control';
import { Fifo } from '../nic/fifo';
import type { HostLedger } from '../host/host';
import { newSenderControl } from '../host/new-control';
import {
  flowOfQpn,
  initiatorQpn,
  isConnectionQpn,
  isNewerUse,
  peerQpn,
  remoteKey,
  targetQpn,
  isRequesterId,
  targetId,
  wirePsn,
} from './packets/connection-numbers';
import { Initiator } from './requester/initiator';
import { PeerFrames, RoceOutput } from './packets/peer-frames';
import type { PeerAddressing } from './packets/peer-frames';
import type { QpContext, QpSender } from './queue-pair/queue-pair';
import type { ReceivedPacket } from './packets/received-packet';
import type { CheckedRoceConfig, RoceFlowSpec } from './queue-pair/roce-config';
import type { RoceContent } from './packets/roce-packet';
import { Target } from './responder/target';

/** A connection whose initiator was not heard for so long may be another one's when it is again. */
const SILENCE: Duration = seconds(10);
/** Connections of others that are known at a time. */
const TARGETS_MAX = 32_768;
/** Targets that are looked at for a silent one, when another wants its place. */
const LOOKED_AT = 64;
/** Targets that each new one looks at: faster than they come, so that those that are done do not pile up. */
const SWEPT = 2;
/** One that has nothing left to do may be asked again for some timeouts of its initiator. */
const IDLE_TIMEOUTS = 8;
/** Connections of this host that have ended and still answer; the oldest gives way to one more. */
const ENDED_MAX = 4096;
/** The dynamic ports of RFC 6335. */
const DYNAMIC_PORTS = 49152;
const DYNAMIC_PORT_COUNT = 16384;

/** Reason why a packet is for no target. */
type TargetRefusal = 'unknown-flow' | 'old-generation' | 'too-many-flows';

/** Callbacks of connections to their host. */
export interface ConnectionEvents {
  readonly answer: (packet: Packet) => void;
  /** Data will be sent, and no more of it. */
  readonly started: (now: Instant, sender: QpSender) => void;
  readonly ended: (sender: QpSender) => void;
}

/** The connections of a host: those it has started, and those that others have. */
export class Connections {
  readonly #config: CheckedRoceConfig;
  readonly #ledger: HostLedger;
  readonly #events: ConnectionEvents;
  readonly #output = new RoceOutput();
  /**
   * By flow id. One that has ended is kept for a while: the target may not have heard of the end, and repeat
   * itself.
   */
  readonly #initiators = new Map<number, Initiator>();
  /** Those that have ended, the oldest first; a later use of an id may have replaced one. */
  readonly #ended = new Fifo<{ readonly flow: number; readonly initiator: Initiator }>();
  /** Number of uses of each flow id. */
  readonly #uses = new Map<number, number>();
  /** Targets by address of the initiator and flow id. */
  readonly #targets = new Map<number, Target>();
  /** Position at which the search for a silent one goes on. */
  #search: Iterator<readonly [number, Target]> | undefined;

  constructor(config: CheckedRoceConfig, ledger: HostLedger, events: ConnectionEvents) {
    this.#config = config;
    this.#ledger = ledger;
    this.#events = events;
  }

  /** @throws InputError for an id that is in use. */
  start(now: Instant, spec: RoceFlowSpec): void {
    const { id, bytes, isOpen = false } = spec;
    if (this.initiator(id) !== undefined) throw new InputError(`flow ${id} is running already`);
    const operation = spec.operation ?? this.#config.operation;
    if (operation === 'read' && spec.dscp !== undefined) {
      throw new InputError(`flow ${id} is read, so its class is up to the host that it comes from`);
    }
    const use = (this.#uses.get(id) ?? this.#config.firstGeneration - 1) + 1;
    this.#uses.set(id, use);
    const target = targetQpn(id, use);
    const context = this.#contextOf(target, this.#addressingTo(spec, target), id);
    const initiator = new Initiator({
      context,
      operation,
      payload: spec.payload,
      startedAt: now,
      onCompleted: (at) => this.#complete(at, id),
      onFailed: (at, reason) => this.#fail(at, id, reason),
    });
    this.#initiators.set(id, initiator);
    initiator.post(now, bytes, !isOpen);
    this.#events.started(now, initiator.requester);
    this.#ledger.emit({ kind: 'flow-started', flow: id, startedAt: now, bytes });
  }

  /** Undefined unless the flow is running. */
  initiator(flow: number): Initiator | undefined {
    const initiator = this.#initiators.get(flow);
    return initiator?.requester.hasEnded === false ? initiator : undefined;
  }

  /** Whom a packet to an initiator is for; late if that one has ended. */
  initiatorFor({ bth, sourceAddress }: ReceivedPacket): Initiator | 'late' | 'unknown-flow' {
    const flow = flowOfQpn(bth.destinationQp);
    const use = this.#uses.get(flow);
    if (use === undefined) return 'unknown-flow';
    const isCurrent = initiatorQpn(targetQpn(flow, use)) === bth.destinationQp;
    const initiator = isCurrent ? this.#initiators.get(flow) : undefined;
    if (initiator === undefined) return 'late';
    return initiator.peerAddress === sourceAddress ? initiator : 'unknown-flow';
  }

  /** Whom a packet to a target is for: a new target, if it begins a connection. */
  targetFor(now: Instant, packet: ReceivedPacket): Target | TargetRefusal {
    const { bth, content, sourceAddress } = packet;
    const qpn = bth.destinationQp;
    if (!isConnectionQpn(qpn)) return 'unknown-flow';
    const key = targetId(sourceAddress, flowOfQpn(qpn));
    const known = this.#targets.get(key);
    const isSilent = known?.isSilentFor(now, SILENCE) === true;
    if (known?.qpn === qpn) {
      const begins = bth.psn === wirePsn(this.#config.initialPsn(qpn)) && !isControl(content.kind);
      if (!isSilent || !begins) return known;
    } else if (known !== undefined && !isSilent && !isNewerUse(qpn, known.qpn)) {
      return 'old-generation';
    }
    if (content.kind === 'telemetry-response' || content.kind === 'congestion-notice') {
      return 'unknown-flow';
    }
    if (known === undefined && !this.#hasRoom(now)) return 'too-many-flows';
    if (known?.server !== undefined) this.#drop(known.server);
    const target = this.#newTarget(now, qpn, packet);
    this.#targets.set(key, target);
    return target;
  }

  /**
   * True if one more target can be remembered. Those that are done leave when they are silent for long; where
   * there is no room, they leave sooner, and silent ones, too.
   */
  #hasRoom(now: Instant): boolean {
    const idle = IDLE_TIMEOUTS * this.#config.retransmissionTimeout;
    for (let i = 0; i < SWEPT; i++) this.#forgetNext(now, { done: SILENCE, silent: Infinity });
    const pressing = { done: Math.min(idle, SILENCE), silent: SILENCE };
    for (let i = 0; i < LOOKED_AT && this.#targets.size >= TARGETS_MAX; i++) {
      this.#forgetNext(now, pressing);
    }
    return this.#targets.size < TARGETS_MAX;
  }

  /** Forgets the next target of the search if it has been silent for so long, by what it is. */
  #forgetNext(now: Instant, after: { readonly done: Duration; readonly silent: Duration }): void {
    this.#search ??= this.#targets.entries();
    const found = this.#search.next();
    if (found.done === true) {
      this.#search = undefined;
      return;
    }
    const [key, target] = found.value;
    if (!target.isSilentFor(now, target.isIdle ? after.done : after.silent)) return;
    if (target.server !== undefined) this.#drop(target.server);
    this.#targets.delete(key);
  }

  /** Returns the sender of `id`: the requester of a flow, or the server of one that a peer reads. */
  sender(id: number): QpSender | undefined {
    return isRequesterId(id) ? this.initiator(id)?.requester : this.#targets.get(id)?.server;
  }

  /** The requester of flow `id` of this host, or the server of one that a peer reads under that id. */
  flow(id: number): QpSender | undefined {
    const initiator = this.initiator(id);
    if (initiator !== undefined) return initiator.requester;
    for (const { server } of this.#targets.values()) if (server?.flow === id) return server;
    return undefined;
  }

  /** The algorithm of the data that comes from an address; undefined unless it runs here. */
  receiverControl(sourceAddress: number, flow: number): CongestionControl | undefined {
    const target = this.#targets.get(targetId(sourceAddress, flow));
    if (target?.control !== undefined) return target.control;
    const initiator = this.#initiators.get(flow);
    return initiator?.peerAddress === sourceAddress ? initiator.control : undefined;
  }

  #newTarget(now: Instant, qpn: number, packet: ReceivedPacket): Target {
    const { sourceAddress, sourceMac, sourcePort } = packet;
    const addressing = {
      sourceMac: this.#config.mac,
      destinationMac: sourceMac,
      sourceAddress: this.#config.address,
      destinationAddress: sourceAddress,
      sourcePort,
      destinationQp: peerQpn(qpn),
    };
    const flow = flowOfQpn(qpn);
    const context = this.#contextOf(qpn, addressing, targetId(sourceAddress, flow));
    return new Target({
      context,
      qpn,
      now,
      onReading: this.#events.started,
      onReceived: (receivedAt, bytes) =>
        this.#ledger.emit({ kind: 'flow-received', flow, sourceAddress, receivedAt, bytes }),
    });
  }

  #contextOf(target: number, addressing: PeerAddressing, senderId: number): QpContext {
    const { answer } = this.#events;
    const config = this.#config;
    const { counts } = this.#ledger;
    const flow = flowOfQpn(target);
    const sourceAddress = addressing.destinationAddress;
    return {
      config,
      flow,
      senderId,
      frames: new PeerFrames(addressing, this.#output, config.carrier),
      firstPsn: wirePsn(config.initialPsn(target)),
      remoteKey: remoteKey(target),
      newControl: (make) => newSenderControl(config, { flow, peerAddress: sourceAddress }, make),
      answer,
      deliver: ({ offset, length, stored }) => {
        counts.bytesDelivered += length;
        config.deliver?.({ sourceAddress, flow, sequence: offset, length, stored });
      },
    };
  }

  #addressingTo(spec: RoceFlowSpec, target: number): PeerAddressing {
    return {
      sourceMac: this.#config.mac,
      destinationMac: spec.destinationMac,
      sourceAddress: this.#config.address,
      destinationAddress: spec.destinationAddress,
      sourcePort: spec.sourcePort ?? DYNAMIC_PORTS + (spec.id % DYNAMIC_PORT_COUNT),
      destinationQp: target,
      ...(spec.dscp !== undefined && { dscp: spec.dscp }),
    };
  }

  #complete(completedAt: Instant, flow: number): void {
    const initiator = this.#end(flow);
    const { startedAt, postedBytes: bytes, operation, peerAddress: sourceAddress } = initiator;
    const counters = initiator.requester.metrics();
    const { segmentsRetransmitted = 0, timeouts = 0, uncontrolledTime = 0 } = counters ?? {};
    if (operation === 'read') {
      const received = { flow, sourceAddress, receivedAt: completedAt, bytes };
      this.#ledger.emit({ kind: 'flow-received', ...received });
    }
    this.#ledger.emit({
      kind: 'flow-completed',
      flow,
      startedAt,
      completedAt,
      bytes,
      segmentsRetransmitted,
      timeouts,
      uncontrolledTime,
    });
  }

  #fail(at: Instant, flow: number, reason: string): void {
    this.#end(flow);
    this.#ledger.emit({ kind: 'flow-failed', flow, at, reason });
  }

  #end(flow: number): Initiator {
    const initiator = this.#initiators.get(flow);
    assert(initiator !== undefined, 'a flow ends once, and after it was started');
    this.#drop(initiator.requester);
    this.#ended.push({ flow, initiator });
    if (this.#ended.length > ENDED_MAX) this.#forgetOldest();
    return initiator;
  }

  #forgetOldest(): void {
    const oldest = this.#ended.take();
    if (oldest === undefined || this.#initiators.get(oldest.flow) !== oldest.initiator) return;
    this.#initiators.delete(oldest.flow);
  }

  #drop(sender: QpSender): void {
    sender.close();
    this.#events.ended(sender);
  }
}

const isControl = (kind: RoceContent['kind']): boolean =>
  kind === 'telemetry-request' || kind === 'congestion-notice';
