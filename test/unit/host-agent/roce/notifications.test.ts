import { emitWindowRecord } from '../../../../common/wire/hpcc/feedback-records';
import { RESPONSE_FLAG_WINDOW } from '../../../../common/wire/roce/telemetry-messages';
import type { FeedbackOptions } from '../../../../host-agent/feedback/feedback-plan';
import { initiatorQpn } from '../../../../host-agent/roce/packets/connection-numbers';
import { parsePacket } from '../../../../host-agent/roce/packets/received-packet';
import { INT_CARRIER } from '../../../../host-agent/carrier/int-carrier';
import type { RoceConfig } from '../../../../host-agent/roce/queue-pair/roce-config';
import { addressOf, flowTo } from '../../../support/hosts';
import { pushHop } from '../../../support/int-hop';
import { PairDriver } from '../../../support/pair-driver';
import { pushingSwitch, roceHost } from '../../../support/roce-hosts';
import { FLOW, RawPeer, sentBy, summary, TARGET_QP } from '../../../support/roce-peer';
import type { SentPacket } from '../../../support/roce-peer';

const MICROSECOND = 1_000_000;
const HOP = { switchId: 3, portId: 4, timestamp: 77, txBytes: 5, queueBytes: 6, capacity: 25e9 };

const withFeedback = (
  feedback: FeedbackOptions,
  given: Partial<RoceConfig> = {},
): Partial<RoceConfig> => ({ initialPsn: () => 0, feedback, ...given });
const NOTIFIED = withFeedback({ returnBy: 'notification' });
const REMOTE = withFeedback({ algorithmAt: 'receiver' });

/** A flow between two hosts: what the receiver of its packets has sent, and how it ended. */
function run(given: Partial<RoceConfig>, bytes: number) {
  const hosts = [roceHost(1, given), roceHost(2, given)] as const;
  const driver = new PairDriver(hosts, { delay: 2e6, network: pushingSwitch() });
  hosts[0].startFlow(0, flowTo(2, FLOW, bytes));
  const sender = given.operation === 'read' ? hosts[1] : hosts[0];
  driver.run(60e6);
  const { congestion } = sender.flowMetrics(FLOW) ?? {};
  expect(driver.run(1e12)).toBe(true);
  const receiverSide = given.operation === 'read' ? 0 : 1;
  const answers = driver.sent
    .filter(({ from }) => from === receiverSide)
    .map(({ packet }) => parsePacket(packet, addressOf(2 - receiverSide), INT_CARRIER));
  const kinds = answers.map((each) => ('content' in each ? each.content.kind : each.reason));
  const count = (kind: string) => kinds.filter((each) => each === kind).length;
  const isCompleted = driver.events[0].some(({ kind }) => kind === 'flow-completed');
  return { driver, congestion, count, isCompleted };
}

/** The answers of a target to a packet that one switch has written into. */
function answersTo(given: Partial<RoceConfig>, ...psns: readonly number[]): SentPacket[] {
  const host = roceHost(2, given);
  const peer = new RawPeer(1, 2, TARGET_QP);
  return psns.flatMap((psn, i) => {
    const data = peer.frame({
      opcode: psn === 0 ? 0x06 : 0x07,
      psn,
      body: psn === 0 ? FIRST_OF_WRITE : new Uint8Array(0),
      payload: { length: 256, stored: new Uint8Array(256) },
      intHopLimit: 8,
    });
    host.handlePacket(i * MICROSECOND, pushHop(data, { ...HOP, timestamp: 77 + 1000 * i }));
    return sentBy(host, i * MICROSECOND, 1);
  });
}

/** The RETH of a WRITE of 2560 bytes at address 0. */
const FIRST_OF_WRITE = new RawPeer(1, 2, TARGET_QP)
  .write(0, 'first', 256, { total: 2560 })
  .bytes.slice(54, 70);

describe('notifications of a receiver over RoCEv2', () => {
  test('bring the telemetry of each data packet, and acknowledge it', () => {
    const sent = answersTo(NOTIFIED, 0, 1);
    expect(sent.map(summary)).toEqual(['telemetry-response 0', 'telemetry-response 1']);
    for (const { content } of sent) {
      expect(content).toMatchObject({ response: { requestId: 0, flags: 0x80, nodeId: 3 } });
    }
  });

  test('tell of packets behind a gap what the links say, and up to where all has come', () => {
    const sent = answersTo(NOTIFIED, 0, 2, 3);
    expect(sent.map(summary)).toEqual([
      'telemetry-response 0',
      'nak 0 1, msn 0',
      'telemetry-response 0',
      'telemetry-response 0',
    ]);
  });

  test.each<[string, Partial<RoceConfig>, number]>([
    ['WRITE', {}, 1],
    ['SEND', { operation: 'send' }, 1],
    ['READ', { operation: 'read' }, 0],
  ])('control a flow with few acknowledgements: %s', (_, given, acknowledgements) => {
    const { count, isCompleted } = run({ ...NOTIFIED, ...given }, 256 * 200);
    expect(isCompleted).toBe(true);
    expect(count('telemetry-response')).toBe(200);
    expect(count('acknowledge')).toBe(acknowledgements);
  });

  test('steer a flow as acknowledgements do', () => {
    const notified = run(NOTIFIED, 1_000_000);
    const acknowledged = run(withFeedback({}), 1_000_000);
    expect(notified.congestion?.commits).toBeGreaterThan(3);
    expect(notified.congestion?.windowBytes).toBeCloseTo(
      acknowledged.congestion?.windowBytes ?? NaN,
      -3,
    );
  });

  test('of data that was never sent are refused', () => {
    const host = roceHost(1, NOTIFIED);
    host.startFlow(0, flowTo(2, FLOW, 100_000));
    sentBy(host, 0, 2);
    const peer = new RawPeer(2, 1, initiatorQpn(TARGET_QP));
    host.handlePacket(
      MICROSECOND,
      peer.telemetry(100_000, { requestId: 0, flags: 0, hopCount: 0 }),
    );
    expect(host.counters().packetsRejected['acknowledges-unsent']).toBe(1);
  });
});

describe('an algorithm at the receiver of RoCEv2 data', () => {
  test.each<[string, Partial<RoceConfig>]>([
    ['WRITE', {}],
    ['SEND', { operation: 'send' }],
    ['READ', { operation: 'read' }],
  ])('leads the sender by windows, one per round trip: %s', (_, given) => {
    const { driver, congestion, count, isCompleted } = run({ ...REMOTE, ...given }, 1_000_000);
    expect(isCompleted).toBe(true);
    expect(congestion?.commits).toBeGreaterThanOrEqual(8);
    const reports = count('telemetry-response');
    if (given.operation !== 'read') expect(reports).toBeLessThan(60);
    const refused = driver.hosts.map((host) => (host as ReturnType<typeof roceHost>).counters());
    for (const { packetsRejected } of refused) expect(packetsRejected.unrequested).toBe(0);
  });

  test('keeps the telemetry: acknowledgements have none', () => {
    const { driver } = run(REMOTE, 100_000);
    const lengths = driver.sent
      .filter(({ from, packet }) => from === 1 && packet.bytes[42] === 0x11)
      .map(({ packet }) => packet.length);
    expect(new Set(lengths)).toEqual(new Set([42 + 12 + 4 + 4]));
  });

  test('reads in data the window that it was sent under', () => {
    const host = roceHost(1, REMOTE);
    host.startFlow(0, flowTo(2, FLOW, 1_000_000));
    const epochs = (sent: readonly SentPacket[]) => new Set(sent.map(({ bth }) => bth.windowEpoch));
    expect(epochs(sentBy(host, 0, 2))).toEqual(new Set([0]));
    const peer = new RawPeer(2, 1, initiatorQpn(TARGET_QP));
    const window = new Uint8Array(16);
    emitWindowRecord({ epoch: 0x25, flows: 0, windowBytes: 50_000 }, window, 0);
    const told = { requestId: 0, flags: RESPONSE_FLAG_WINDOW, hopCount: 0 };
    host.handlePacket(MICROSECOND, peer.telemetry(0, told, window));
    expect(host.flowMetrics(FLOW)?.congestion.windowBytes).toBe(50_000);
    host.handleWakeup(2 * MICROSECOND);
    expect(epochs(sentBy(host, 2 * MICROSECOND, 2))).toEqual(new Set([5]));
  });

  test('that falls silent has its window halved, with acknowledgements as the clock', () => {
    const host = roceHost(1, REMOTE);
    host.startFlow(0, flowTo(2, FLOW, 10_000_000));
    const peer = new RawPeer(2, 1, initiatorQpn(TARGET_QP));
    const before = host.flowMetrics(FLOW)?.congestion.windowBytes ?? NaN;
    for (let i = 0; i < 100; i++) {
      const now = i * MICROSECOND;
      host.handleWakeup(now);
      sentBy(host, now, 2);
      host.handlePacket(now, peer.acknowledge(i));
    }
    expect(host.flowMetrics(FLOW)?.congestion.windowBytes).toBeLessThanOrEqual(before / 2);
  });
});
