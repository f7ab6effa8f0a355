import type { Packet } from '../../../common/packet/packet';
import { AUTH_TRAILER_LENGTH } from '../../../common/wire/security/message-mac';
import type { HPCC_TELEMETRY, HPCC_WINDOW } from '../../../common/wire/hpcc/hpcc-transport';
import {
  FLOW_TOKEN_LENGTH,
  HPCC_ACK,
  HPCC_FLAG_AUTH,
  HPCC_FLAG_COOKIE,
  writeFlowToken,
} from '../../../common/wire/hpcc/hpcc-transport';
import type { FlowToken, HpccTransportHeader } from '../../../common/wire/hpcc/hpcc-transport';
import { signFeedback } from '../../feedback/feedback-auth';
import type { FrameOutput } from '../frames/frame-output';
import { FrameTemplate, tailOf } from '../frames/frame-template';
import type { FrameTail } from '../frames/frame-memory';
import { prepareHeaders } from '../frames/prepared-headers';
import type { CommonAddressing } from '../frames/prepared-headers';
import type { CheckedHostConfig } from '../../host/host-config';
import type { ReceivedFrame } from '../frames/received-frame';

/** Peer from which the data of a flow comes, and to which its feedback goes. */
interface FeedbackPeer {
  readonly address: number;
  readonly mac: number;
  /** Source port of the data that is answered: its feedback has the same, and so brings it back. */
  port: number;
}

type FeedbackType = typeof HPCC_ACK | typeof HPCC_TELEMETRY | typeof HPCC_WINDOW;

/** State that all feedback of a flow shares, over all addresses of the peer. */
export interface FeedbackState {
  /** Signed packets so far, by which they are numbered. */
  signed: number;
  /** Token of the first packet of the flow. */
  readonly token: FlowToken | undefined;
  /** Cookie for a flow that is not confirmed. */
  cookie: FlowToken | undefined;
}

/** Fields that differ between the feedback packets of one type. */
interface FeedbackFields {
  /** Without HPCC_FLAG_AUTH, which depends on the host's keys. */
  readonly flags: number;
  readonly sequence: number;
  readonly body?: Uint8Array | undefined;
}

/** Feedback whose body stands in another frame. */
interface EchoFields {
  flags: number;
  sequence: number;
  /** Bytes of the body. */
  length: number;
  sourcePort: number;
}

/** PERF: filled in again for each acknowledgement. */
const ECHO_FIELDS: EchoFields = { flags: 0, sequence: 0, length: 0, sourcePort: 0 };

/** Makes the feedback packets of one flow, signed where the host has keys. */
export class FeedbackFrames {
  readonly peer: FeedbackPeer;
  readonly #config: CheckedHostConfig;
  readonly #output: FrameOutput;
  readonly #flow: Pick<HpccTransportHeader, 'flowId' | 'generation' | 'token'>;
  /** Templates by type. */
  readonly #templates: (FrameTemplate | undefined)[] = [];
  readonly state: FeedbackState;

  constructor(
    config: CheckedHostConfig,
    output: FrameOutput,
    frame: ReceivedFrame,
    state: FeedbackState = { signed: 0, token: frame.transport.token, cookie: undefined },
  ) {
    const { flowId, generation } = frame.transport;
    this.#config = config;
    this.#output = output;
    this.#flow = { flowId, generation, token: state.token };
    this.state = state;
    this.peer = { address: frame.sourceAddress, mac: frame.sourceMac, port: frame.sourcePort };
  }

  isFor(frame: ReceivedFrame): boolean {
    return this.peer.mac === frame.sourceMac && this.peer.port === frame.sourcePort;
  }

  /** Answers `frame` from now on; returns false if it came over another next hop than these frames take. */
  follow({ sourceMac, sourcePort }: ReceivedFrame): boolean {
    if (this.peer.mac !== sourceMac) return false;
    this.peer.port = sourcePort;
    return true;
  }

  /** The same flow's frames for where `frame` came from. */
  towards(frame: ReceivedFrame): FeedbackFrames {
    return new FeedbackFrames(this.#config, this.#output, frame, this.state);
  }

  /** The flow is confirmed: feedback has no cookie any more. */
  confirm(): void {
    this.state.cookie = undefined;
  }

  emit(type: FeedbackType, fields: FeedbackFields): Packet {
    const { cookie } = this.state;
    return this.#emit(type, cookie === undefined ? fields : withCookie(fields, cookie));
  }

  /** True if {@link emitEcho} suffices: nothing is signed, and the flow has no cookie to send. */
  get isPlain(): boolean {
    return this.#config.keyRing === undefined && this.state.cookie === undefined;
  }

  /** An acknowledgement whose body is copied from where it lies; only if {@link isPlain}. */
  emitEcho(flags: number, sequence: number, echo: FrameTail): Packet {
    const template = this.#templates[HPCC_ACK] ?? this.#create(HPCC_ACK);
    ECHO_FIELDS.flags = flags;
    ECHO_FIELDS.sequence = sequence;
    ECHO_FIELDS.length = echo.length;
    ECHO_FIELDS.sourcePort = this.peer.port;
    return this.#output.emit(template, ECHO_FIELDS, echo);
  }

  #emit(type: FeedbackType, { flags, sequence, body }: FeedbackFields): Packet {
    const template = this.#templates[type] ?? this.#create(type);
    const { keyRing, address } = this.#config;
    const sourcePort = this.peer.port;
    if (keyRing === undefined) {
      return this.#output.emit(
        template,
        { flags, sequence, length: body?.length ?? 0, sourcePort },
        body && tailOf(body),
      );
    }
    const unsigned = body ?? NO_BODY;
    const length = unsigned.length + AUTH_TRAILER_LENGTH;
    const fields = { flags: flags | HPCC_FLAG_AUTH, sequence, length, sourcePort };
    const path = { source: address, destination: this.peer.address };
    const header = { flags: fields.flags, sequence, length, type, ...this.#flow };
    const signed = { body: unsigned, sequence: ++this.state.signed };
    return this.#output.emit(template, fields, tailOf(signFeedback(keyRing, path, header, signed)));
  }

  #create(type: FeedbackType): FrameTemplate {
    const { address, mac, carrier } = this.#config;
    const addressing = {
      sourceMac: mac,
      destinationMac: this.peer.mac,
      sourceAddress: address,
      destinationAddress: this.peer.address,
      sourcePort: this.peer.port,
      intHopLimit: undefined,
    };
    const prepare = (common: CommonAddressing) => prepareHeaders(common, carrier);
    const template = new FrameTemplate(addressing, { type, ...this.#flow }, prepare);
    this.#templates[type] = template;
    return template;
  }
}

function withCookie({ flags, sequence, body }: FeedbackFields, cookie: FlowToken): FeedbackFields {
  const length = body?.length ?? 0;
  const longer = new Uint8Array(length + FLOW_TOKEN_LENGTH);
  if (body !== undefined) longer.set(body);
  writeFlowToken(cookie, longer, length);
  return { flags: flags | HPCC_FLAG_COOKIE, sequence, body: longer };
}

const NO_BODY = new Uint8Array(0);
