import type { Packet } from '../../../../../common/packet/packet';
import type { FlowToken } from '../../../../../common/wire/hpcc/hpcc-transport';
import {
  HPCC_ACK,
  HPCC_FLAG_COOKIE,
  HPCC_FLAG_ECHO,
  HPCC_FLAG_RESPONSE,
  HPCC_TELEMETRY,
  HPCC_WINDOW,
  readFlowToken,
  writeFlowToken,
} from '../../../../../common/wire/hpcc/hpcc-transport';
import type { HpccType } from '../../../../../common/wire/hpcc/hpcc-transport';
import { FixedRate } from '../../../../../host-agent/algorithm/fixed-rate';
import { FlowTokens } from '../../../../../host-agent/feedback/flow-tokens';
import { SlabFrames } from '../../../../../host-agent/transport/frames/frame-memory';
import { FrameTemplate, tailOf } from '../../../../../host-agent/transport/frames/frame-template';
import { must, rejections } from '../../../../support/frames';
import { addressOf, flowTo, macOf, testHost } from '../../../../support/hosts';
import { testOpening } from '../../../../support/opening';
import { seenFrame } from '../../../../support/transport-frames';

const FLOW = 7;
const BYTES = 1500;
const INT_AT = 42;
const INT_LENGTH = 16;
const TOKEN_AT = INT_AT + INT_LENGTH + 16;
const COOKIE: FlowToken = { high: 0x1234, low: 0x5678 };
const FORGED: FlowToken = { high: 1, low: 1 };
const SPACING = 1_000_000;

interface Feedback {
  readonly type: HpccType;
  readonly flags?: number;
  readonly sequence?: number;
  readonly token: FlowToken;
  /** Bytes before the cookie. */
  readonly record?: Uint8Array;
}

/** Feedback of host 2 for the flow, with the cookie that its flags announce. */
function feedback({ type, flags = 0, sequence = 0, token, record }: Feedback): Packet {
  const addressing = {
    sourceMac: macOf(2),
    destinationMac: macOf(1),
    sourcePort: 50_000,
    sourceAddress: addressOf(2),
    destinationAddress: addressOf(1),
    intHopLimit: undefined,
  };
  const template = new FrameTemplate(addressing, { type, flowId: FLOW, generation: 0, token });
  const cookie = new Uint8Array((flags & HPCC_FLAG_COOKIE) === 0 ? 0 : 8);
  if (cookie.length > 0) writeFlowToken(COOKIE, cookie, 0);
  const body = Uint8Array.from([...(record ?? []), ...cookie]);
  const fields = { flags, sequence, length: body.length, identification: 0 };
  const bytes = template.emit(fields, new SlabFrames(), tailOf(body));
  return { bytes, length: bytes.length };
}

/** Host 1 with all segments of a flow to a stranger in flight. */
function opened(isOpen = false) {
  let heard = 0;
  class Listener extends FixedRate {
    override onAck() {
      heard++;
      return super.onAck();
    }
  }
  const congestionControl = () => new Listener(100e9);
  const host = testHost(1, { opening: testOpening(1), congestionControl });
  host.startFlow(0, { ...flowTo(2, FLOW, BYTES), isOpen });
  const first = must(host.pollTransmit(0));
  must(host.pollTransmit(SPACING));
  const nonce = readFlowToken(first.bytes, TOKEN_AT);
  /** The token that the flow's next packet shows: nothing is heard before the timeout. */
  const shown = (): FlowToken => {
    host.handleWakeup(600_000_000);
    return readFlowToken(must(host.pollTransmit(600_000_000)).bytes, TOKEN_AT);
  };
  const echo = first.bytes.slice(INT_AT, INT_AT + INT_LENGTH);
  const take = (given: Omit<Feedback, 'token'>, token = nonce): void =>
    host.handlePacket(3 * SPACING, feedback({ ...given, token }));
  return { host, nonce, shown, echo, take, heard: () => heard };
}

/** Token that proves the cookie to a receiver that knows the flow by that nonce. */
function proofOf(nonce: FlowToken | undefined): FlowToken {
  const [sourceAddress, destinationAddress] = [addressOf(1), addressOf(2)];
  const flow = { sourceAddress, destinationAddress, flowId: FLOW, generation: 0, nonce };
  return new FlowTokens(testOpening(3), undefined).proof(COOKIE, flow);
}

describe('a cookie that comes', () => {
  it('alone is of a receiver that has no room for the flow, and says nothing of the path', () => {
    const { host, shown, take, heard } = opened();
    take({ type: HPCC_TELEMETRY, flags: HPCC_FLAG_COOKIE, sequence: 1000 });
    expect([heard(), rejections(host)]).toEqual([0, []]);
    expect(host.flowMetrics(FLOW)?.acknowledgedBytes).toBe(0);
    expect(shown()).toEqual(proofOf(undefined));
  });

  it('is what makes such a packet: without it, telemetry was to come and did not', () => {
    const { nonce, shown, take, heard } = opened();
    take({ type: HPCC_TELEMETRY, sequence: 1000 });
    expect(heard()).toBe(1);
    expect(shown()).toEqual(nonce);
  });

  it('with telemetry is of one that knows the flow, and the telemetry counts', () => {
    const { nonce, shown, echo, take, heard } = opened();
    const flags = HPCC_FLAG_COOKIE | HPCC_FLAG_ECHO;
    take({ type: HPCC_TELEMETRY, flags, sequence: 1000, record: echo });
    expect(heard()).toBe(1);
    expect(shown()).toEqual(proofOf(nonce));
  });

  it('with the answer to a probe is of one that knows the flow, also if none was asked', () => {
    const { host, nonce, shown, take } = opened();
    take({ type: HPCC_TELEMETRY, flags: HPCC_FLAG_COOKIE | HPCC_FLAG_RESPONSE, sequence: 1 });
    expect(host.counters().packetsRejected.unrequested).toBe(1);
    expect(shown()).toEqual(proofOf(nonce));
  });

  it('with an acknowledgement is of one that knows the flow', () => {
    const { host, nonce, shown, take } = opened();
    take({ type: HPCC_ACK, flags: HPCC_FLAG_COOKIE, sequence: 1000 });
    expect(host.flowMetrics(FLOW)?.acknowledgedBytes).toBe(1000);
    expect(shown()).toEqual(proofOf(nonce));
  });

  it('with the acknowledgement of all makes the last segment leave once more, with the proof', () => {
    const { host, nonce, take } = opened();
    take({ type: HPCC_ACK, flags: HPCC_FLAG_COOKIE, sequence: BYTES });
    expect(host.flowMetrics(FLOW)).toMatchObject({ acknowledgedBytes: 1000, nacks: 1 });
    const again = must(host.pollTransmit(3 * SPACING));
    expect(seenFrame(again)).toMatchObject({ length: 500 });
    expect(readFlowToken(again.bytes, TOKEN_AT)).toEqual(proofOf(nonce));
    take({ type: HPCC_ACK, sequence: BYTES }, proofOf(nonce));
    expect(host.flowMetrics(FLOW)).toBeUndefined();
  });

  it('does not repeat what has arrived of a flow that goes on', () => {
    const { host, take } = opened(true);
    take({ type: HPCC_ACK, flags: HPCC_FLAG_COOKIE, sequence: BYTES });
    expect(host.flowMetrics(FLOW)).toMatchObject({ acknowledgedBytes: BYTES, nacks: 0 });
  });
});

describe('feedback without the token of its flow', () => {
  it.each([
    ['an acknowledgement', { type: HPCC_ACK, sequence: BYTES }],
    ['a cookie', { type: HPCC_TELEMETRY, flags: HPCC_FLAG_COOKIE }],
    ['a window', { type: HPCC_WINDOW, record: new Uint8Array(16) }],
  ] as const)('is forged, and of no effect: %s', (_, given) => {
    const { host, nonce, shown, take, heard } = opened();
    take(given, FORGED);
    expect(host.counters().packetsRejected.forged).toBe(1);
    expect([heard(), host.flowMetrics(FLOW)?.acknowledgedBytes]).toEqual([0, 0]);
    expect(shown()).toEqual(nonce);
  });
});
