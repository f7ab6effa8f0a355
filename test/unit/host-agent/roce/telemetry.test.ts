import type { Packet } from '../../../../common/packet/packet';
import { emitWindowRecord } from '../../../../common/wire/hpcc/feedback-records';
import {
  RESPONSE_FLAG_PATH_CHANGED,
  RESPONSE_FLAG_WINDOW,
} from '../../../../common/wire/roce/telemetry-messages';
import type { CongestionEvent } from '../../../../host-agent/algorithm/congestion-control';
import { KeyRing } from '../../../../host-agent/feedback/key-ring';
import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';
import { initiatorQpn } from '../../../../host-agent/roce/packets/connection-numbers';
import type { RoceConfig } from '../../../../host-agent/roce/queue-pair/roce-config';
import { flowTo } from '../../../support/hosts';
import { pushHop } from '../../../support/int-hop';
import { PairDriver } from '../../../support/pair-driver';
import { pushingSwitch, roceHost } from '../../../support/roce-hosts';
import { FLOW, RawPeer, sentBy, summary, TARGET_QP } from '../../../support/roce-peer';
import type { SentPacket } from '../../../support/roce-peer';

const MICROSECOND = 1_000_000;
const PROBES: Partial<RoceConfig> = { feedback: { collectBy: 'probe' }, initialPsn: () => 0 };
const REMOTE: Partial<RoceConfig> = {
  ...PROBES,
  feedback: { collectBy: 'probe', algorithmAt: 'receiver' },
};
const HOP = { switchId: 3, portId: 4, timestamp: 77, txBytes: 5, queueBytes: 6, capacity: 25e9 };

/** Packets that a host sends during `duration`. */
function sentDuring(host: ReturnType<typeof roceHost>, from: number, duration: number) {
  const sent: SentPacket[] = [];
  for (let now = from; now < from + duration; now += 50_000) {
    host.handleWakeup(now);
    sent.push(...sentBy(host, now, 2));
  }
  return sent;
}

const probesOf = (sent: readonly SentPacket[]) =>
  sent.flatMap(({ content, bth }) =>
    content.kind === 'telemetry-request' ? [{ id: content.request.requestId, psn: bth.psn }] : [],
  );

describe('requests for telemetry', () => {
  test('have the PSN of the newest data and take none, and are one at a time after the first', () => {
    const host = roceHost(1, PROBES);
    host.startFlow(0, flowTo(2, FLOW, 1_000_000));
    const probes = probesOf(sentDuring(host, 0, 4 * MICROSECOND));
    // The second one gives the first answer something to be compared with.
    expect(probes).toEqual([
      { id: 1, psn: 0 },
      { id: 2, psn: 1 },
    ]);
    const peer = new RawPeer(2, 1, initiatorQpn(TARGET_QP));
    host.handlePacket(4 * MICROSECOND, peer.telemetry(0, { requestId: 2 }));
    const next = probesOf(sentDuring(host, 4 * MICROSECOND, 3 * MICROSECOND));
    expect(next.map(({ id }) => id)).toEqual([3]);
  });

  test('are repeated when no answer comes within three base round trips', () => {
    const host = roceHost(1, { ...PROBES, retransmissionTimeout: 1e12 });
    host.startFlow(0, flowTo(2, FLOW, 1_000_000));
    sentDuring(host, 0, MICROSECOND);
    const probes = probesOf(sentDuring(host, MICROSECOND, 16 * MICROSECOND));
    expect(probes.map(({ id }) => id)).toEqual([3]);
    expect(host.flowMetrics(FLOW)?.probeTimeouts).toBe(1);
  });

  test('alone ask switches, so data and acknowledgements are plain RoCEv2', () => {
    const hosts = [roceHost(1, PROBES), roceHost(2, PROBES)] as const;
    const driver = new PairDriver(hosts, { delay: 2e6, network: pushingSwitch() });
    hosts[0].startFlow(0, flowTo(2, FLOW, 20_000));
    driver.run(1e12);
    const opcodesWithInt = new Set(
      driver.sent
        .filter(({ packet }) => packet.bytes[15] !== 0)
        .map(({ packet }) => packet.bytes[58]),
    );
    expect(opcodesWithInt).toEqual(new Set([0xc0]));
  });
});

describe('responses to them', () => {
  const answerTo = (config: Partial<RoceConfig>, ...hops: readonly (typeof HOP)[]): SentPacket => {
    const host = roceHost(2, config);
    let probe: Packet = new RawPeer(1, 2, TARGET_QP).probe(9, 42, 8);
    for (const hop of hops) probe = pushHop(probe, hop);
    host.handlePacket(0, probe);
    return sentBy(host, 0, 1)[0] as SentPacket;
  };

  test('repeat request, time and PSN, and name the link with its capacity', () => {
    const { bth, content } = answerTo({}, HOP);
    expect(bth).toMatchObject({ psn: 9, destinationQp: initiatorQpn(TARGET_QP) });
    expect(content).toMatchObject({
      response: {
        requestId: 42,
        transmitTime: { high: 1, low: 2 },
        hopCount: 1,
        chosenHop: 0,
        flags: 0,
        nodeId: 3,
        portId: 4,
        queueBytes: 6,
        capacityMbps: 25_000,
        timestamp: { high: 0, low: 77 },
        txBytes: { high: 0, low: 5 },
      },
    });
  });

  test('choose the link with the longest wait while there is nothing to compare with', () => {
    const long = { ...HOP, switchId: 5, queueBytes: 60 };
    const slow = { ...HOP, switchId: 6, queueBytes: 30, capacity: 10e9 };
    expect(answerTo({}, HOP, long, slow).content).toMatchObject({
      response: { hopCount: 3, chosenHop: 2, nodeId: 6 },
    });
  });

  test('have all links too where that is wanted', () => {
    const { content, end } = answerTo({ responses: 'stack' }, HOP, { ...HOP, switchId: 5 });
    const bodyAt = content.kind === 'telemetry-response' ? content.bodyAt : NaN;
    expect(content).toMatchObject({ response: { flags: 0x80 } });
    expect(end - bodyAt).toBe(16 + 2 * 32);
  });

  test('say when the path has changed', () => {
    const host = roceHost(2);
    const peer = new RawPeer(1, 2, TARGET_QP);
    const flags = [3, 3, 4].map((switchId, i) => {
      const hop = { ...HOP, switchId, timestamp: 100 * i };
      host.handlePacket(i, pushHop(peer.probe(i, i + 1, 8), hop));
      const { content } = sentBy(host, i, 1)[0] as SentPacket;
      return content.kind === 'telemetry-response' ? content.response.flags : NaN;
    });
    expect(flags).toEqual([0, 0, RESPONSE_FLAG_PATH_CHANGED]);
  });

  test('carry a window and no link where the receiver runs the algorithm', () => {
    const { content, end } = answerTo(REMOTE, HOP);
    const bodyAt = content.kind === 'telemetry-response' ? content.bodyAt : NaN;
    expect(content).toMatchObject({
      response: { flags: RESPONSE_FLAG_WINDOW, hopCount: 0, nodeId: 0, requestId: 42 },
    });
    expect(end - bodyAt).toBe(16);
  });

  test('lead the sender by such windows, one per round trip', () => {
    const hosts = [roceHost(1, REMOTE), roceHost(2, REMOTE)] as const;
    const driver = new PairDriver(hosts, { delay: 2e6, network: pushingSwitch() });
    hosts[0].startFlow(0, flowTo(2, FLOW, 1_000_000));
    driver.run(60e6);
    const { congestion, probesSent = 0 } = hosts[0].flowMetrics(FLOW) ?? {};
    expect(congestion?.commits).toBeGreaterThanOrEqual(8);
    expect(congestion?.commits).toBeLessThanOrEqual(probesSent);
    expect(driver.run(1e12)).toBe(true);
    expect(driver.events[0].map(({ kind }) => kind)).toContain('flow-completed');
  });

  test('with windows are refused where the algorithm runs at the sender', () => {
    const host = roceHost(1, PROBES);
    host.startFlow(0, flowTo(2, FLOW, 1_000_000));
    sentDuring(host, 0, MICROSECOND);
    const peer = new RawPeer(2, 1, initiatorQpn(TARGET_QP));
    const window = new Uint8Array(16);
    emitWindowRecord({ epoch: 1, flows: 0, windowBytes: 1000 }, window, 0);
    host.handlePacket(MICROSECOND, peer.telemetry(0, { flags: RESPONSE_FLAG_WINDOW }, window));
    expect(host.counters().packetsRejected.unrequested).toBe(1);
  });

  test('say that there was no link where no switch has added anything', () => {
    expect(answerTo({}).content).toMatchObject({ response: { hopCount: 0, capacityMbps: 0 } });
  });
});

/** A flow whose answers are made by hand. */
function controlled() {
  const events: CongestionEvent[] = [];
  const host = roceHost(1, { ...PROBES, observe: (_flow, event) => events.push(event) });
  host.startFlow(0, flowTo(2, FLOW, 10_000_000));
  sentDuring(host, 0, MICROSECOND);
  const peer = new RawPeer(2, 1, initiatorQpn(TARGET_QP));
  const answer = (now: number, response: Parameters<RawPeer['telemetry']>[1]): string[] => {
    host.handlePacket(now, peer.telemetry(0, response));
    return events.splice(0).map(({ kind }) => kind);
  };
  return { host, answer };
}

describe('a sender', () => {
  test('takes link and capacity from responses, and slows down for a slow link', () => {
    const { host, answer } = controlled();
    const at = (ns: number) => ({ timestamp: { high: 0, low: ns } });
    const full = { queueBytes: 50_000, capacityMbps: 10_000 };
    answer(MICROSECOND, { requestId: 1, ...at(1000), ...full });
    const before = host.flowMetrics(FLOW)?.congestion.windowBytes ?? 0;
    const txBytes = { high: 0, low: 12_500 };
    answer(6 * MICROSECOND, { requestId: 2, ...at(11_000), txBytes, ...full });
    const { congestion, inflightBytes = NaN } = host.flowMetrics(FLOW) ?? {};
    expect(congestion?.windowBytes).toBeLessThan(before / 2);
    expect(host.windowLeft(FLOW)).toBe((congestion?.windowBytes ?? NaN) - inflightBytes);
  });

  test('keeps the links that a response does not name', () => {
    const { host, answer } = controlled();
    answer(1e6, { requestId: 1, nodeId: 1, timestamp: { high: 0, low: 1000 } });
    answer(2e6, { requestId: 2, nodeId: 2, timestamp: { high: 0, low: 1000 }, hopCount: 2 });
    sentDuring(host, 2e6, 5 * MICROSECOND);
    expect(
      answer(8e6, { requestId: 3, nodeId: 1, timestamp: { high: 0, low: 9000 }, hopCount: 2 }),
    ).toContain('ack-processed');
    expect(host.flowMetrics(FLOW)?.congestion.pathChanges).toBe(1);
  });

  test('drops responses that it has not asked for, and those that come twice', () => {
    const { host, answer } = controlled();
    answer(1e6, { requestId: 7 });
    answer(2e6, { requestId: 0 });
    answer(3e6, { requestId: 2 });
    answer(4e6, { requestId: 2 });
    expect(host.counters().packetsRejected.unrequested).toBe(2);
    expect(host.counters().acksLate).toBe(1);
  });
});

describe('hosts with keys', () => {
  const ring = (id: number) => new KeyRing(hmacSha256, id, new Uint8Array(32).fill(id));
  const run = (keys: readonly (KeyRing | undefined)[], network = pushingSwitch()) => {
    const host = (n: number) => {
      const keyRing = keys[n - 1];
      return roceHost(n, { ...PROBES, ...(keyRing && { keyRing }), retryCount: 1 });
    };
    const hosts = [host(1), host(2)] as const;
    const driver = new PairDriver(hosts, { delay: 2e6, network });
    hosts[0].startFlow(0, flowTo(2, FLOW, 20_000));
    driver.run(1e12);
    return { driver, hosts, ended: driver.events[0].at(-1)?.kind };
  };

  test('sign acknowledgements and responses behind the body, within the ICRC', () => {
    const { driver, ended } = run([ring(1), ring(1)]);
    expect(ended).toBe('flow-completed');
    const lengths = new Set(
      driver.sent.filter(({ from }) => from === 1).map(({ packet }) => packet.length),
    );
    // Ethernet to UDP 42, BTH 12, trailer 28, ICRC 4; AETH 4 or the response's 48.
    expect(lengths).toEqual(new Set([90, 134]));
  });

  test.each([
    ['other keys', [ring(1), ring(2)]],
    ['no keys', [ring(1), undefined]],
  ])('refuse feedback of hosts with %s', (_what, keys) => {
    const { hosts, ended } = run(keys);
    expect(hosts[0].counters().packetsRejected.unauthenticated).toBeGreaterThan(0);
    expect(hosts[0].counters().packetsRejected['acknowledges-unsent']).toBe(0);
    expect(ended).not.toBe('flow-completed');
  });

  test('refuse feedback that is repeated', () => {
    const push = pushingSwitch();
    const twice = (from: 0 | 1, packet: Packet, now: number) => {
      const pushed = push(from, packet, now);
      return from === 0
        ? pushed
        : [
            { packet: pushed, by: 0 },
            { packet: pushed, by: 5 },
          ];
    };
    const hosts = [1, 2].map((n) => roceHost(n, { ...PROBES, keyRing: ring(1) }));
    const [a, b] = hosts as [ReturnType<typeof roceHost>, ReturnType<typeof roceHost>];
    const driver = new PairDriver([a, b], { delay: 2e6, network: twice });
    a.startFlow(0, flowTo(2, FLOW, 20_000));
    driver.run(1e12);
    expect(a.counters().packetsRejected.replayed).toBeGreaterThan(10);
    expect(driver.events[0].some(({ kind }) => kind === 'flow-completed')).toBe(true);
  });
});

test('a report of READ data says up to where it has arrived, with all links', () => {
  const host = roceHost(1, { operation: 'read', initialPsn: () => 0 });
  host.startFlow(0, flowTo(2, FLOW, 100));
  sentBy(host, 0, 2);
  const response = new RawPeer(2, 1, initiatorQpn(TARGET_QP)).frame({
    opcode: 0x10,
    psn: 0,
    ackRequest: true,
    body: Uint8Array.of(0x1f, 0, 0, 1),
    payload: { length: 100, stored: undefined },
    intHopLimit: 8,
  });
  host.handlePacket(10, pushHop(response, HOP));
  const [report] = sentBy(host, 10, 2) as [SentPacket];
  expect(summary(report)).toBe('telemetry-response 0');
  expect(report.content).toMatchObject({ response: { requestId: 0, flags: 0x80, nodeId: 3 } });
});

describe('requests that acknowledgements answer', () => {
  const ACKED: Partial<RoceConfig> = {
    ...PROBES,
    feedback: { collectBy: 'probe', returnBy: 'ack' },
  };

  test('have no responses: the next acknowledgement has their telemetry, once', () => {
    const host = roceHost(2, ACKED);
    const peer = new RawPeer(1, 2, TARGET_QP);
    host.handlePacket(0, pushHop(peer.probe(0, 42, 8), HOP));
    expect(sentBy(host, 0, 1)).toEqual([]);
    host.handlePacket(1, peer.write(0, 'first', 256, { total: 512 }));
    host.handlePacket(2, peer.write(1, 'last', 256));
    const lengths = sentBy(host, 2, 1).map(({ frame }) => frame.length);
    expect(lengths).toEqual([42 + 12 + 4 + 48 + 4, 42 + 12 + 4 + 4]);
  });

  test.each(['write', 'send', 'read'] as const)('control a flow: %s', (operation) => {
    const hosts = [roceHost(1, ACKED), roceHost(2, ACKED)] as const;
    const driver = new PairDriver(hosts, { delay: 2e6, network: pushingSwitch() });
    hosts[0].startFlow(0, { ...flowTo(2, FLOW, 1_000_000), operation });
    driver.run(60e6);
    const sender = operation === 'read' ? hosts[1] : hosts[0];
    const { congestion, probesSent = 0, probeTimeouts } = sender.flowMetrics(FLOW) ?? {};
    expect(congestion?.commits).toBeGreaterThanOrEqual(8);
    expect(congestion?.commits).toBeLessThanOrEqual(probesSent);
    expect(probeTimeouts).toBe(0);
    expect(driver.run(1e12)).toBe(true);
    expect(driver.events[0].map(({ kind }) => kind)).toContain('flow-completed');
  });
});
