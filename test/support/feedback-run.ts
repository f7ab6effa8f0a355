import type { Packet } from '../../common/packet/packet';
import type { FeedbackOptions } from '../../host-agent/feedback/feedback-plan';
import type { HostAgent } from '../../host-agent/transport/host';
import type { HostConfig } from '../../host-agent/host/host-config';
import { flowTo, testHost } from './hosts';
import { pushHop } from './int-hop';
import type { Side } from './pair-driver';
import { PairDriver } from './pair-driver';
import type { SeenFrame } from './transport-frames';
import { seenFrame } from './transport-frames';

/** One way, in ps. */
export const FEEDBACK_DELAY = 2_000_000;
const MILLISECOND = 1_000_000_000;

/** A switch that pushes its record into whatever asks for it; `queueBytes` wait behind each. */
export function hopNetwork(queueBytes = 0) {
  let txBytes = 0;
  return (_from: Side, packet: Packet, now: number): Packet => {
    if (packet.bytes[15] === 0) return packet;
    const timestamp = Math.floor(now / 1000);
    const hop = { switchId: 1, portId: 1, timestamp, txBytes, queueBytes, capacity: 100e9 };
    txBytes += packet.length + 32;
    return pushHop(packet, hop);
  };
}

interface FeedbackRun {
  readonly forward: readonly (SeenFrame & { at: number })[];
  readonly back: readonly (SeenFrame & { at: number; bytes: Uint8Array })[];
  readonly hosts: readonly [HostAgent, HostAgent];
  readonly driver: PairDriver;
}

/** A flow of `bytes` from one host to another that is told what switches said by that plan. */
export function runFeedback(
  feedback: FeedbackOptions,
  bytes = 20_000,
  given: Partial<HostConfig> = {},
): FeedbackRun {
  const hosts = [testHost(1, { feedback, ...given }), testHost(2, { feedback })] as const;
  const driver = new PairDriver(hosts, { delay: FEEDBACK_DELAY, network: hopNetwork() });
  hosts[0].startFlow(0, flowTo(2, 0, bytes));
  expect(driver.run(MILLISECOND)).toBe(true);
  const seen = driver.sent.map(({ from, at, packet }) => ({
    ...seenFrame(packet),
    from,
    at,
    bytes: packet.bytes,
  }));
  const forward = seen.filter(({ from }) => from === 0);
  return { forward, back: seen.filter(({ from }) => from === 1), hosts, driver };
}

export const ofType = <Frame extends SeenFrame>(frames: readonly Frame[], type: number): Frame[] =>
  frames.filter((frame) => frame.type === type);
