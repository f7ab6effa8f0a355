import type { Packet } from '../../../common/packet/packet';
import type { Instant } from '../../../common/units/units';
import { readSwitchResponse, SEQUENCE_KIND_HPCC } from '../../../common/wire/hpcc/feedback-records';
import { FlowCount } from '../../feedback/flow-count';
import { FeedbackFrames } from './feedback-frames';
import { Fifo } from '../../nic/fifo';
import type { FrameOutput } from '../frames/frame-output';
import type { CheckedHostConfig, HostConfig } from '../../host/host-config';
import type { HostLedger } from '../../host/host-ledger';
import { IncomingFlow } from './incoming-flow';
import type { ReceivedFrame } from '../frames/received-frame';
import type { KeptBytes, Reception } from './receiver';

/**
 * All flows that a host receives, and the answers that wait for its interface.
 *
 * A finished flow is remembered until its id is used again, because the sender may miss the last
 * acknowledgement and repeat itself: at most 65,536 small records per sending host.
 */
export class IncomingFlows {
  readonly #config: CheckedHostConfig;
  readonly #output: FrameOutput;
  readonly #ledger: HostLedger;
  readonly #flows = new Map<number, IncomingFlow>();
  readonly #answers = new Fifo<Packet>();
  /** Flows that hold an acknowledgement back; all wait equally long, so the oldest is first. */
  readonly #holding = new Fifo<{ readonly flow: IncomingFlow; readonly deadline: Instant }>();
  readonly #count: FlowCount | undefined;
  readonly #deliverTo: HostConfig['deliver'];

  constructor(config: CheckedHostConfig, output: FrameOutput, ledger: HostLedger) {
    this.#config = config;
    this.#deliverTo = config.deliver;
    this.#output = output;
    this.#ledger = ledger;
    this.#count = config.feedback.countsFlows ? new FlowCount(config.baseRtt) : undefined;
  }

  /** Returns false if the data belongs to an earlier flow of the same id. */
  handleData(now: Instant, frame: ReceivedFrame, packet: Packet): boolean {
    const flow = this.#flowOf(frame);
    if (flow === undefined) return false;
    flow.follow(frame);
    this.#count?.onPacket(now, flow.mark);
    const wasFinished = flow.isFinished;
    const reception = flow.receive(frame, packet);
    const flows = this.#count?.count(now) ?? 0;
    for (const answer of flow.answer(now, { reception, frame, packet }, flows)) {
      this.#answers.push(answer);
    }
    this.#noteHeld(flow);
    if (reception.newBytes > 0) this.#deliver(reception, frame, packet);
    if (flow.isFinished && !wasFinished) {
      this.#ledger.emit({
        kind: 'flow-received',
        flow: frame.transport.flowId,
        sourceAddress: frame.sourceAddress,
        receivedAt: now,
        bytes: flow.expectedSequence,
      });
    }
    return true;
  }

  /** Returns false if the probe belongs to an earlier flow of the same id. */
  handleProbe(now: Instant, frame: ReceivedFrame, packet: Packet): boolean {
    const flow = this.#flowOf(frame);
    if (flow === undefined) return false;
    this.#answers.push(flow.respond(now, frame, packet));
    return true;
  }

  /**
   * What a switch says to the receiver of a flow. `unrequested` if nobody here has asked: no such
   * flow, no algorithm that could use it, or keys, which a switch has none of.
   */
  handleSwitchResponse(
    now: Instant,
    frame: ReceivedFrame,
    packet: Packet,
  ): 'taken' | 'unrequested' {
    const { feedback, keyRing } = this.#config;
    const { flowId, generation } = frame.transport;
    const flow = this.#flows.get(keyOf(frame.sourceAddress, flowId));
    const isAsked = feedback.asksSwitches && feedback.algorithmAt === 'receiver';
    const { sequenceKind, hop } = readSwitchResponse(packet.bytes, frame.bodyAt);
    if (!isAsked || keyRing !== undefined || sequenceKind !== SEQUENCE_KIND_HPCC)
      return 'unrequested';
    if (flow?.generation !== generation) return 'unrequested';
    const answer = flow.handleSwitchResponse(now, hop, this.#count?.count(now) ?? 0);
    if (answer !== undefined) this.#answers.push(answer);
    return 'taken';
  }

  /** Releases acknowledgements that were held back for long enough. */
  handleWakeup(now: Instant): void {
    for (let oldest = this.#oldestHeld(); oldest !== undefined; oldest = this.#oldestHeld()) {
      if (oldest.deadline > now) return;
      const ack = oldest.flow.handleWakeup(now);
      if (ack !== undefined) this.#answers.push(ack);
    }
  }

  /** When to call {@link handleWakeup}, or Infinity. */
  get wakeupAt(): Instant {
    return this.#oldestHeld()?.deadline ?? Infinity;
  }

  /** The oldest answer that waits. */
  pollTransmit(): Packet | undefined {
    return this.#answers.take();
  }

  #noteHeld(flow: IncomingFlow): void {
    const deadline = flow.ackDeadline;
    if (deadline !== Infinity) this.#holding.push({ flow, deadline });
  }

  /** Entries whose acknowledgement has left, or that another packet repeated, are passed over. */
  #oldestHeld() {
    for (;;) {
      const oldest = this.#holding.peek();
      if (oldest === undefined || oldest.flow.ackDeadline === oldest.deadline) return oldest;
      this.#holding.take();
    }
  }

  #flowOf(frame: ReceivedFrame): IncomingFlow | undefined {
    const { flowId, generation } = frame.transport;
    const key = keyOf(frame.sourceAddress, flowId);
    const known = this.#flows.get(key);
    if (known?.generation === generation) return known;
    if (known !== undefined && !isNewer(generation, known.generation)) return undefined;
    const frames = new FeedbackFrames(this.#config, this.#output, frame);
    const fresh = new IncomingFlow(this.#config, frame, frames);
    this.#flows.set(key, fresh);
    return fresh;
  }

  #deliver(reception: Reception, frame: ReceivedFrame, packet: Packet): void {
    const { ackSequence, newBytes, released = NOTHING } = reception;
    const end = released[0]?.sequence ?? ackSequence;
    this.#ledger.counts.bytesDelivered += newBytes + ackSequence - end;
    const deliver = this.#deliverTo;
    if (deliver === undefined) return;
    const { sourceAddress, bodyAt } = frame;
    const { flowId: flow, length } = frame.transport;
    const storedEnd = bodyAt + length;
    const stored = packet.bytes.subarray(storedEnd - newBytes, storedEnd);
    deliver({ sourceAddress, flow, sequence: end - newBytes, length: newBytes, stored });
    for (const bytes of released) deliver({ sourceAddress, flow, ...bytes });
  }
}

const NOTHING: readonly KeptBytes[] = [];

/** Below 2^48: 32 bits of address and 16 of flow id. */
const keyOf = (sourceAddress: number, flowId: number): number => sourceAddress * 0x10000 + flowId;

/** Serial arithmetic (RFC 1982) on 16 bits; equal numbers are not newer. */
function isNewer(a: number, b: number): boolean {
  const ahead = (a - b) & 0xffff;
  return ahead !== 0 && ahead < 0x8000;
}
