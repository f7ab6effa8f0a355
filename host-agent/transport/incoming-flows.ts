import type { Packet } from '../../common/packet/packet';
import type { Instant } from '../../common/units/units';
import {
  HPCC_ACK,
  HPCC_FLAG_ECHO,
  HPCC_FLAG_FIN,
  HPCC_FLAG_NACK,
} from '../../common/wire/hpcc-transport';
import { Fifo } from './fifo';
import type { FrameOutput } from './frame-output';
import { FrameTemplate } from './frame-template';
import type { CheckedHostConfig } from './host-config';
import type { HostEvent } from './host-events';
import type { ReceivedFrame } from './received-frame';
import type { Reception } from './receiver';
import { FlowReceiver } from './receiver';

interface IncomingFlow {
  readonly generation: number;
  readonly receiver: FlowReceiver;
  readonly peerMac: number;
  readonly peerPort: number;
  readonly acks: FrameTemplate;
}

/**
 * All flows that a host receives, and the acknowledgements that wait for its interface.
 *
 * A finished flow is remembered until its id is used again, because the sender may miss the last
 * acknowledgement and repeat itself: at most 65,536 small records per sending host.
 */
export class IncomingFlows {
  readonly #config: CheckedHostConfig;
  readonly #output: FrameOutput;
  readonly #emitEvent: (event: HostEvent) => void;
  readonly #flows = new Map<number, IncomingFlow>();
  readonly #acks = new Fifo<Packet>();
  #delivered = 0;

  constructor(
    config: CheckedHostConfig,
    output: FrameOutput,
    emitEvent: (event: HostEvent) => void,
  ) {
    this.#config = config;
    this.#output = output;
    this.#emitEvent = emitEvent;
  }

  get bytesDelivered(): number {
    return this.#delivered;
  }

  /** Returns false if the data belongs to an earlier flow of the same id. */
  handleData(now: Instant, frame: ReceivedFrame, packet: Packet): boolean {
    const flow = this.#flowOf(frame);
    if (flow === undefined) return false;
    const { sequence, length, flags } = frame.transport;
    const wasFinished = flow.receiver.isFinished;
    const isLast = (flags & HPCC_FLAG_FIN) !== 0;
    const reception = flow.receiver.handleData(sequence, length, isLast);
    this.#acks.push(this.#acknowledge(flow, reception, frame, packet));
    if (reception.newBytes > 0) this.#deliver(reception, frame, packet);
    if (flow.receiver.isFinished && !wasFinished) {
      this.#emitEvent({
        kind: 'flow-received',
        flow: frame.transport.flowId,
        sourceAddress: frame.sourceAddress,
        receivedAt: now,
        bytes: flow.receiver.expectedSequence,
      });
    }
    return true;
  }

  /** The oldest acknowledgement that waits. */
  pollTransmit(): Packet | undefined {
    return this.#acks.take();
  }

  #flowOf(frame: ReceivedFrame): IncomingFlow | undefined {
    const { flowId, generation } = frame.transport;
    // Below 2^48: 32 bits of address and 16 of flow id.
    const key = frame.sourceAddress * 0x10000 + flowId;
    const known = this.#flows.get(key);
    if (known?.generation === generation) {
      if (known.peerMac === frame.sourceMac && known.peerPort === frame.sourcePort) return known;
      const moved = this.#open(frame, known.receiver);
      this.#flows.set(key, moved);
      return moved;
    }
    if (known !== undefined && !isNewer(generation, known.generation)) return undefined;
    const fresh = this.#open(frame, new FlowReceiver());
    this.#flows.set(key, fresh);
    return fresh;
  }

  #open(frame: ReceivedFrame, receiver: FlowReceiver): IncomingFlow {
    const { flowId, generation } = frame.transport;
    const addressing = {
      sourceMac: this.#config.mac,
      destinationMac: frame.sourceMac,
      sourceAddress: this.#config.address,
      destinationAddress: frame.sourceAddress,
      sourcePort: frame.sourcePort,
      intHopLimit: undefined,
    };
    return {
      generation,
      receiver,
      peerMac: frame.sourceMac,
      peerPort: frame.sourcePort,
      acks: new FrameTemplate(addressing, { type: HPCC_ACK, flowId, generation }),
    };
  }

  #acknowledge(
    flow: IncomingFlow,
    reception: Reception,
    frame: ReceivedFrame,
    packet: Packet,
  ): Packet {
    const length = frame.intLength;
    const nack = reception.isNack ? HPCC_FLAG_NACK : 0;
    const sequence = reception.ackSequence;
    if (length === 0) return this.#output.emit(flow.acks, { flags: nack, sequence, length });
    const echo = packet.bytes.subarray(frame.intAt, frame.intAt + length);
    return this.#output.emit(flow.acks, { flags: nack | HPCC_FLAG_ECHO, sequence, length }, echo);
  }

  #deliver(reception: Reception, frame: ReceivedFrame, packet: Packet): void {
    this.#delivered += reception.newBytes;
    const { deliver } = this.#config;
    if (deliver === undefined) return;
    const { flowId, length } = frame.transport;
    const end = frame.bodyAt + length;
    deliver({
      sourceAddress: frame.sourceAddress,
      flow: flowId,
      sequence: reception.ackSequence - reception.newBytes,
      length: reception.newBytes,
      stored: packet.bytes.subarray(end - reception.newBytes, end),
    });
  }
}

/** Serial arithmetic (RFC 1982) on 16 bits; equal numbers are not newer. */
function isNewer(a: number, b: number): boolean {
  const ahead = (a - b) & 0xffff;
  return ahead !== 0 && ahead < 0x8000;
}
