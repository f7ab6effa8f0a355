import type { Packet } from '../../../common/packet/packet';
import { AUTH_TRAILER_LENGTH } from '../../../common/wire/security/message-mac';
import type { HpccType, HPCC_ACK, HPCC_TELEMETRY } from '../../../common/wire/hpcc/hpcc-transport';
import type { HPCC_WINDOW } from '../../../common/wire/hpcc/hpcc-transport';
import { HPCC_FLAG_AUTH } from '../../../common/wire/hpcc/hpcc-transport';
import { signFeedback } from '../../feedback/feedback-auth';
import type { FrameOutput } from '../frames/frame-output';
import { FrameTemplate } from '../frames/frame-template';
import type { CheckedHostConfig } from '../../host/host-config';
import type { ReceivedFrame } from '../frames/received-frame';

/** Where the data of a flow comes from, and its feedback goes. */
interface FeedbackPeer {
  readonly address: number;
  readonly mac: number;
  readonly port: number;
}

type FeedbackType = typeof HPCC_ACK | typeof HPCC_TELEMETRY | typeof HPCC_WINDOW;

/** What differs between the feedback packets of one type. */
interface FeedbackFields {
  /** Without HPCC_FLAG_AUTH, which depends on the host's keys. */
  readonly flags: number;
  readonly sequence: number;
  readonly body?: Uint8Array | undefined;
}

/** Makes the feedback packets of one flow, signed where the host has keys. */
export class FeedbackFrames {
  readonly peer: FeedbackPeer;
  readonly #config: CheckedHostConfig;
  readonly #output: FrameOutput;
  readonly #flow: { readonly flowId: number; readonly generation: number };
  readonly #templates = new Map<HpccType, FrameTemplate>();
  /** Numbers the signed packets of the flow, over all peers' addresses. */
  readonly #counter: { signed: number };

  constructor(
    config: CheckedHostConfig,
    output: FrameOutput,
    frame: ReceivedFrame,
    counter: { signed: number } = { signed: 0 },
  ) {
    const { flowId, generation } = frame.transport;
    this.#config = config;
    this.#output = output;
    this.#flow = { flowId, generation };
    this.#counter = counter;
    this.peer = { address: frame.sourceAddress, mac: frame.sourceMac, port: frame.sourcePort };
  }

  isFor(frame: ReceivedFrame): boolean {
    return this.peer.mac === frame.sourceMac && this.peer.port === frame.sourcePort;
  }

  /** The same flow's frames for where `frame` came from. */
  towards(frame: ReceivedFrame): FeedbackFrames {
    return new FeedbackFrames(this.#config, this.#output, frame, this.#counter);
  }

  emit(type: FeedbackType, { flags, sequence, body }: FeedbackFields): Packet {
    const template = this.#templates.get(type) ?? this.#create(type);
    const { keyRing, address } = this.#config;
    if (keyRing === undefined) {
      return this.#output.emit(template, { flags, sequence, length: body?.length ?? 0 }, body);
    }
    const unsigned = body ?? NO_BODY;
    const length = unsigned.length + AUTH_TRAILER_LENGTH;
    const fields = { flags: flags | HPCC_FLAG_AUTH, sequence, length };
    const path = { source: address, destination: this.peer.address };
    const header = { ...fields, type, ...this.#flow };
    const signed = { body: unsigned, sequence: ++this.#counter.signed };
    return this.#output.emit(template, fields, signFeedback(keyRing, path, header, signed));
  }

  #create(type: FeedbackType): FrameTemplate {
    const { address, mac } = this.#config;
    const addressing = {
      sourceMac: mac,
      destinationMac: this.peer.mac,
      sourceAddress: address,
      destinationAddress: this.peer.address,
      sourcePort: this.peer.port,
      intHopLimit: undefined,
    };
    const template = new FrameTemplate(addressing, { type, ...this.#flow });
    this.#templates.set(type, template);
    return template;
  }
}

const NO_BODY = new Uint8Array(0);
