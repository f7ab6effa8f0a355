import type { FlowToken } from '../../../../../common/wire/hpcc/hpcc-transport';
import { isSameToken, readFlowToken } from '../../../../../common/wire/hpcc/hpcc-transport';
import type { Packet } from '../../../../../common/packet/packet';
import { NO_TELEMETRY } from '../../../../../host-agent/carrier/congestion-sample';
import { hpccppFactory } from '../../../../../host-agent/algorithm/window-form';
import type { FlowSpec, HostConfig } from '../../../../../host-agent/host/host-config';
import { checkHostConfig } from '../../../../../host-agent/host/host-config';
import { PATH_PROBES_FROM } from '../../../../../host-agent/path/path-selector';
import { OutgoingFlow } from '../../../../../host-agent/transport/sending/outgoing-flow';
import { newSharedByFlows } from '../../../../../host-agent/transport/sending/shared-by-flows';
import { addressOf, flowTo, macOf } from '../../../../support/hosts';
import { testOpening } from '../../../../support/opening';
import { seenFrame } from '../../../../support/transport-frames';

/** Flows of one host to host 2. */
function rig(given: Partial<HostConfig> = {}) {
  const config = checkHostConfig({
    address: addressOf(1),
    mac: macOf(1),
    linkRate: 100e9,
    baseRtt: 5_000_000,
    congestionControl: hpccppFactory(),
    ...given,
  });
  const shared = newSharedByFlows(config);
  const start = (spec: FlowSpec): OutgoingFlow =>
    new OutgoingFlow(config, spec, { now: 0, generation: 0, shared });
  return { shared, start };
}

const ack = (ackSequence: number) => ({ ackSequence, isNack: false, sample: NO_TELEMETRY });
const token = (low: number): FlowToken => ({ high: 0x1234, low });
const other = token(99);

describe('a flow that goes to another path', () => {
  it('is on its way until what is in flight on the old one is acknowledged', () => {
    const { start } = rig();
    const flow = start(flowTo(2, 7, 5000));
    flow.emit(0);
    expect(flow.isLeaving).toBe(false);
    flow.leaveFor(1000, 1);
    expect([flow.isLeaving, flow.canSend(1e6), flow.metrics().moves]).toEqual([true, false, 0]);
    flow.sender.handleAck(2000, ack(1000));
    flow.handleFeedback(2000, NO_TELEMETRY);
    expect([flow.isLeaving, flow.metrics().moves]).toEqual([false, 1]);
    const { sourcePort, sequence } = seenFrame(flow.emit(1e6));
    expect([sourcePort, sequence]).toEqual([flow.keyOf(1).sourcePort, 1000]);
  });
});

describe('the answer to a probe', () => {
  /** A flow that leaves its path, for which nothing but news of that path is missing. */
  const leaving = (): OutgoingFlow => {
    const { start } = rig();
    const flow = start(flowTo(2, 7, 5000));
    flow.emit(0);
    flow.leaveFor(1000, 1);
    flow.sender.handleAck(2000, ack(1000));
    return flow;
  };

  it('is news of the path that the flow uses, unless the probe was about another one', () => {
    const flow = leaving();
    flow.handleResponse(3000, PATH_PROBES_FROM, NO_TELEMETRY);
    expect(flow.isLeaving).toBe(true);
    flow.handleResponse(3000, PATH_PROBES_FROM - 1, NO_TELEMETRY);
    expect(flow.isLeaving).toBe(false);
  });

  it('is unrequested where nothing asks', () => {
    expect(leaving().handleResponse(3000, 1, NO_TELEMETRY)).toBe('unrequested');
  });
});

describe('a flow that has a probe to send', () => {
  it('waits with it for the interface, and for the time only with the next one', () => {
    const { start } = rig();
    const within = 400_000_000;
    const flow = start({ ...flowTo(2, 7, 5000), admission: { within } });
    const wakeup = new Float64Array(1);
    flow.writeWakeup(0, wakeup);
    expect([flow.canSend(0), wakeup[0]]).toEqual([true, within]);
    flow.emit(0);
    // Three base RTTs.
    flow.writeWakeup(1, wakeup);
    expect([flow.canSend(1), wakeup[0]]).toEqual([false, 15_000_000]);
  });
});

describe('the last segment of a flow', () => {
  it.each([
    [5000, 4000],
    [5500, 5000],
    [1001, 1000],
    [1000, 0],
    [300, 0],
  ])('of %d bytes begins at %d', (bytes, at) => {
    expect(rig().start(flowTo(2, 7, bytes)).lastSegmentAt).toBe(at);
  });
});

describe('the token of a flow', () => {
  const opening = testOpening(1);
  /** The token in the next frame. */
  const shown = (flow: OutgoingFlow, now: number): FlowToken | undefined => {
    const { bytes }: Packet = flow.emit(now);
    return (bytes[58] as number) >>> 4 === 4 ? readFlowToken(bytes, 58 + 16) : undefined;
  };

  it('is none in a network without strangers, whatever comes back', () => {
    const { start, shared } = rig();
    const flow = start(flowTo(2, 7, 5000));
    flow.learnCookie(token(1), undefined);
    expect([flow.isOwnToken(undefined), flow.isOwnToken(other)]).toEqual([true, false]);
    expect(shown(flow, 0)).toBeUndefined();
    expect(shared.cookies.size).toBe(0);
  });

  it('proves the cookie once that is known, and is also believed as it was before', () => {
    const { start } = rig({ opening });
    const flow = start(flowTo(2, 7, 5000));
    const first = shown(flow, 0);
    flow.learnCookie(token(1), token(2));
    const proof = shown(flow, 1e6);
    expect(isSameToken(first, proof)).toBe(false);
    const believed = [first, proof, token(2), token(1), other, undefined];
    expect(believed.map((one) => flow.isOwnToken(one))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('differs with the cookie, the nonce, the id of the flow and its destination', () => {
    const { start } = rig({ opening });
    const proofOf = (spec: FlowSpec, cookie: FlowToken, nonce?: FlowToken): string => {
      const flow = start(spec);
      flow.learnCookie(cookie, nonce);
      return JSON.stringify(shown(flow, 0));
    };
    const proofs = [
      proofOf(flowTo(2, 7, 5000), token(1), token(2)),
      proofOf(flowTo(2, 7, 5000), token(3), token(2)),
      proofOf(flowTo(2, 7, 5000), token(1), token(4)),
      proofOf(flowTo(2, 7, 5000), token(1)),
      proofOf(flowTo(2, 8, 5000), token(1), token(2)),
      proofOf(flowTo(3, 7, 5000), token(1), token(2)),
    ];
    expect(new Set(proofs).size).toBe(proofs.length);
    expect(proofOf(flowTo(2, 7, 5000), token(1), token(2))).toBe(proofs[0]);
  });

  it('of a further flow to a host that is known proves its cookie from the first packet on', () => {
    const { start } = rig({ opening });
    const before = shown(start(flowTo(2, 7, 5000)), 0);
    start(flowTo(2, 7, 5000)).learnCookie(token(1), undefined);
    const known = [1, 2].map(() => shown(start(flowTo(2, 7, 5000)), 0));
    // No longer what nobody guesses, but a proof, which is the same for the same flow.
    expect(isSameToken(known[0], known[1])).toBe(true);
    expect(isSameToken(known[0], before)).toBe(false);
    const elsewhere = [1, 2].map(() => shown(start(flowTo(3, 7, 5000)), 0));
    expect(isSameToken(elsewhere[0], elsewhere[1])).toBe(false);
    const id8 = shown(start(flowTo(2, 8, 5000)), 0);
    expect(isSameToken(known[0], id8)).toBe(false);
  });

  it('needs no more memory than that of 1024 cookies', () => {
    const { start, shared } = rig({ opening });
    for (let host = 1; host <= 1024; host++) {
      start(flowTo(host, 7, 5000)).learnCookie(token(host), undefined);
    }
    expect(shared.cookies.size).toBe(1024);
    start(flowTo(1025, 7, 5000)).learnCookie(token(1025), undefined);
    expect([...shared.cookies.keys()]).toEqual([addressOf(1025)]);
  });

  it('is no other one when it hears of the same cookie again', () => {
    const { start, shared } = rig({ opening });
    const flow = start(flowTo(2, 7, 5000));
    flow.learnCookie(token(1), token(2));
    const proof = shown(flow, 0);
    shared.cookies.clear();
    flow.learnCookie(token(1), token(2));
    expect(shown(flow, 1e6)).toEqual(proof);
    // There is nothing new to remember either.
    expect(shared.cookies.size).toBe(0);
  });
});
