import { InputError } from '../../common/errors';
import type { Packet } from '../../common/packet/packet';
import type { HopRecord } from '../../common/telemetry/hop';
import type { Bytes, Instant } from '../../common/units/units';
import { WireFault } from '../../common/wire/fault';
import {
  HPCC_DATA,
  HPCC_FLAG_ECHO,
  HPCC_FLAG_FIN,
  HPCC_FLAG_NACK,
  HPCC_FLAG_RETRANSMIT,
} from '../../common/wire/hpcc-transport';
import type { IntMd } from '../../common/wire/int-md';
import { parseIntMd, readHops } from '../../common/wire/int-md';
import type { CongestionMetrics } from '../algorithm/congestion-control';
import type { FrameOutput } from './frame-output';
import { FrameTemplate } from './frame-template';
import type { CheckedHostConfig, FlowSpec } from './host-config';
import { checkFlowBytes, checkFlowSpec } from './host-config';
import type { HostEvent } from './host-events';
import type { ReceivedFrame } from './received-frame';
import type { Segment } from './sender';
import { FlowSender } from './sender';

interface OutgoingFlow {
  readonly spec: FlowSpec;
  readonly generation: number;
  readonly startedAt: Instant;
  readonly sender: FlowSender;
  readonly data: FrameTemplate;
}

export interface FlowMetrics {
  readonly congestion: CongestionMetrics;
  readonly acknowledgedBytes: Bytes;
  readonly inflightBytes: Bytes;
  /** How far the flow has been sent at all. */
  readonly sentBytesMax: Bytes;
  readonly segmentsRetransmitted: number;
  readonly timeouts: number;
  readonly nacks: number;
}

/** What became of an acknowledgement. `late`: its flow had completed already. */
export type AckOutcome = 'taken' | 'late' | 'unknown-flow' | 'acknowledges-unsent';

/**
 * All flows that a host sends, in round-robin order.
 *
 * PERF: choosing the next flow and the next wake-up is linear in the flows that run; the number of
 * flows that a host sends at once is small compared with what its peers send to it.
 */
export class OutgoingFlows {
  readonly #config: CheckedHostConfig;
  readonly #output: FrameOutput;
  readonly #emitEvent: (event: HostEvent) => void;
  readonly #byId = new Map<number, OutgoingFlow>();
  readonly #running: OutgoingFlow[] = [];
  /** Index in #running of the flow whose turn is next. */
  #turn = 0;
  readonly #generations = new Map<number, number>();

  constructor(
    config: CheckedHostConfig,
    output: FrameOutput,
    emitEvent: (event: HostEvent) => void,
  ) {
    this.#config = config;
    this.#output = output;
    this.#emitEvent = emitEvent;
  }

  start(now: Instant, spec: FlowSpec): void {
    checkFlowSpec(spec);
    if (this.#byId.has(spec.id)) throw new InputError(`flow ${spec.id} is running already`);
    const last = this.#generations.get(spec.id);
    const generation = last === undefined ? this.#config.firstGeneration : (last + 1) & 0xffff;
    const flow = this.#create(now, spec, generation);
    this.#generations.set(spec.id, generation);
    this.#byId.set(spec.id, flow);
    this.#running.push(flow);
    this.#emitEvent({ kind: 'flow-started', flow: spec.id, startedAt: now, bytes: spec.bytes });
  }

  append(
    now: Instant,
    id: number,
    more: { readonly bytes: Bytes; readonly isLast: boolean },
  ): void {
    const flow = this.#byId.get(id);
    if (flow?.sender.isOpen !== true) {
      throw new InputError(`flow ${id} cannot grow: no open flow of that id is running`);
    }
    checkFlowBytes(more.bytes, id);
    flow.sender.append(now, more.bytes, more.isLast);
  }

  metrics(id: number): FlowMetrics | undefined {
    const sender = this.#byId.get(id)?.sender;
    if (sender === undefined) return undefined;
    return { congestion: sender.congestionControl.metrics(), ...sender.counters };
  }

  handleAck(now: Instant, frame: ReceivedFrame, packet: Packet): AckOutcome {
    const { flowId, generation, sequence, flags } = frame.transport;
    const flow = this.#byId.get(flowId);
    if (flow?.generation !== generation) {
      return this.#generations.has(flowId) ? 'late' : 'unknown-flow';
    }
    const int = echoedTelemetry(frame, packet);
    const isTaken = flow.sender.handleAck(now, {
      ackSequence: sequence,
      isNack: (flags & HPCC_FLAG_NACK) !== 0,
      telemetry: int === undefined ? NO_TELEMETRY : readHops(int, packet.bytes, frame.bodyAt),
      isIncomplete: int !== undefined && (int.hopLimitExceeded || int.mtuExceeded),
    });
    if (!isTaken) return 'acknowledges-unsent';
    if (flow.sender.isComplete) this.#complete(now, flow);
    return 'taken';
  }

  handleWakeup(now: Instant): void {
    for (const flow of this.#running) flow.sender.handleWakeup(now);
  }

  /** The next data frame of the next flow that may send now. */
  pollTransmit(now: Instant): Packet | undefined {
    const count = this.#running.length;
    for (let step = 0; step < count; step++) {
      const index = (this.#turn + step) % count;
      const flow = this.#running[index];
      if (flow?.sender.canSend(now) !== true) continue;
      this.#turn = (index + 1) % count;
      return this.#emit(flow, flow.sender.takeSegment(now));
    }
    return undefined;
  }

  /** Infinity when nothing is due. */
  wakeupAfter(now: Instant): Instant {
    let earliest = Infinity;
    for (const flow of this.#running) {
      const at = flow.sender.wakeupAfter(now);
      if (at < earliest) earliest = at;
    }
    return earliest;
  }

  #create(now: Instant, spec: FlowSpec, generation: number): OutgoingFlow {
    const config = this.#config;
    const { linkRate, baseRtt, observe, mss, expectedHops, retransmissionTimeout } = config;
    const data = new FrameTemplate(
      {
        sourceMac: config.mac,
        destinationMac: spec.destinationMac,
        sourceAddress: config.address,
        destinationAddress: spec.destinationAddress,
        sourcePort: spec.sourcePort ?? DYNAMIC_PORTS + (spec.id % DYNAMIC_PORT_COUNT),
        intHopLimit: config.intHopLimit,
      },
      { type: HPCC_DATA, flowId: spec.id, generation },
    );
    const sender = new FlowSender({
      bytes: spec.bytes,
      isOpen: spec.isOpen ?? false,
      mss,
      headerLength: data.headerLength,
      expectedHops,
      baseRtt,
      retransmissionTimeout,
      congestionControl: config.congestionControl({
        linkRate,
        baseRtt,
        ...(observe !== undefined && { sink: (event) => observe(spec.id, event) }),
      }),
    });
    return { spec, generation, startedAt: now, sender, data };
  }

  #emit(flow: OutgoingFlow, segment: Segment): Packet {
    const { sequence, length } = segment;
    const flags =
      (segment.isLast ? HPCC_FLAG_FIN : 0) | (segment.isRetransmission ? HPCC_FLAG_RETRANSMIT : 0);
    const fields = { flags, sequence, length };
    const { payload } = flow.spec;
    if (payload === undefined) return this.#output.emit(flow.data, fields);
    const tail = new Uint8Array(length);
    payload(sequence, tail);
    return this.#output.emit(flow.data, fields, tail);
  }

  #complete(now: Instant, flow: OutgoingFlow): void {
    const { id } = flow.spec;
    const index = this.#running.indexOf(flow);
    this.#running.splice(index, 1);
    // The turn stays with the same flow, or wraps when the last one has gone.
    if (index < this.#turn) this.#turn--;
    if (this.#turn >= this.#running.length) this.#turn = 0;
    this.#byId.delete(id);
    const { startedAt } = flow;
    const bytes = flow.sender.totalBytes;
    const { segmentsRetransmitted } = flow.sender.counters;
    this.#emitEvent({
      kind: 'flow-completed',
      flow: id,
      startedAt,
      completedAt: now,
      bytes,
      segmentsRetransmitted,
    });
  }
}

/** Undefined without an echo and for an echo that is no INT of our domain, or is longer than it. */
function echoedTelemetry(frame: ReceivedFrame, packet: Packet): IntMd | undefined {
  if ((frame.transport.flags & HPCC_FLAG_ECHO) === 0) return undefined;
  const int = parseIntMd(packet.bytes, frame.bodyAt);
  if (int instanceof WireFault || int.length !== frame.transport.length) return undefined;
  return int;
}

const NO_TELEMETRY: readonly HopRecord[] = [];

/** The dynamic ports of RFC 6335. */
const DYNAMIC_PORTS = 49152;
const DYNAMIC_PORT_COUNT = 16384;
