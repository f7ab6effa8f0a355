import type { Packet } from '../../../../../common/packet/packet';
import { initiatorQpn } from '../../../../../host-agent/roce/packets/connection-numbers';
import type { RoceConfig } from '../../../../../host-agent/roce/queue-pair/roce-config';
import type { RoceOperation } from '../../../../../host-agent/settings/settings';
import { eventsOf } from '../../../../support/frames';
import { flowTo } from '../../../../support/hosts';
import { roceHost } from '../../../../support/roce-hosts';
import { FLOW, RawPeer, sentBy, summary, TARGET_QP } from '../../../../support/roce-peer';

const FIRST = 0xff_fffe;
const MICROSECOND = 1_000_000;
const TIMEOUT = 500 * MICROSECOND;

/** An initiator of one flow that takes answers made by hand, each a microsecond after the last one. */
function newInitiator(operation: RoceOperation, bytes: number, given: Partial<RoceConfig> = {}) {
  const host = roceHost(1, { initialPsn: () => FIRST, operation, ...given });
  const peer = new RawPeer(2, 1, initiatorQpn(TARGET_QP));
  let now = 0;
  /** Packets sent within the next microsecond, which is ample for the pacing of a few packets. */
  const settle = (): string[] => {
    const sent = [];
    for (let i = 0; i < 10; i++) {
      host.handleWakeup(now);
      sent.push(...sentBy(host, now, 2).map(summary));
      now += MICROSECOND / 10;
    }
    return sent;
  };
  const handle = (...packets: readonly Packet[]): string[] =>
    packets.flatMap((packet) => {
      host.handlePacket(now, packet);
      return settle();
    });
  const waitUntil = (at: number): string[] => {
    now = at;
    return settle();
  };
  host.startFlow(0, flowTo(2, FLOW, bytes));
  const kinds = () => eventsOf(host).map(({ kind }) => kind);
  return { host, peer, handle, waitUntil, settle, kinds, now: () => now };
}

/** Packets that leave at first for 600 bytes of WRITE. */
const THREE = [`write first ${FIRST}`, `write middle ${FIRST + 1}`, 'write last 0'];

describe('an initiator that writes', () => {
  test('sends a message in packets of the MTU, and completes when all are acknowledged', () => {
    const { settle, handle, peer, kinds } = newInitiator('write', 600);
    expect(settle()).toEqual(THREE);
    expect(handle(peer.acknowledge(FIRST))).toEqual([]);
    expect(kinds()).toEqual(['flow-started']);
    handle(peer.acknowledge(0));
    expect(kinds()).toEqual(['flow-completed']);
  });

  test('says the whole length in the first packet and marks the end of the flow in the last', () => {
    const host = roceHost(1, { initialPsn: () => FIRST });
    host.startFlow(0, flowTo(2, FLOW, 600));
    const sent = [];
    for (let now = 0; now < MICROSECOND; now += 1000) sent.push(...sentBy(host, now, 2));
    const [first, middle, last] = sent.map(({ content }) => content);
    expect(first).toMatchObject({ reth: { dmaLength: 600 }, payloadLength: 256 });
    expect(middle).toMatchObject({ reth: undefined, payloadLength: 256 });
    expect(last).toMatchObject({ immediate: FLOW, payloadLength: 88 });
  });

  test('goes back to where the target asks it to, with the packets as they were', () => {
    const { settle, handle, peer, host } = newInitiator('write', 600);
    settle();
    expect(handle(peer.acknowledge(0xff_ffff, 'nak', 0))).toEqual(THREE.slice(1));
    expect(host.flowMetrics(FLOW)?.acknowledgedBytes).toBe(256);
    expect(host.flowMetrics(FLOW)?.segmentsRetransmitted).toBe(2);
  });

  test('goes back when nothing is heard, and gives up after its retries', () => {
    const { settle, waitUntil, kinds, host } = newInitiator('write', 600, { retryCount: 2 });
    settle();
    const tries = [1, 3, 7].map((timeouts) => waitUntil(timeouts * TIMEOUT + 10 * MICROSECOND));
    expect(tries).toEqual([THREE, THREE, []]);
    expect(kinds()).toEqual(['flow-started', 'flow-failed']);
    expect(host.flowMetrics(FLOW)).toBeUndefined();
  });

  test('counts retries anew after progress', () => {
    const { settle, handle, waitUntil, peer, kinds } = newInitiator('write', 600, {
      retryCount: 1,
    });
    settle();
    waitUntil(TIMEOUT + MICROSECOND);
    handle(peer.acknowledge(FIRST));
    waitUntil(3 * TIMEOUT);
    expect(kinds()).toEqual(['flow-started']);
  });

  test('waits as long as a receiver wants that is not ready, then goes on', () => {
    const { settle, handle, waitUntil, peer } = newInitiator('send', 600);
    settle();
    // Code 10: 320 us.
    expect(handle(peer.acknowledge(FIRST, 'rnr-nak', 10))).toEqual([]);
    expect(waitUntil(319 * MICROSECOND)).toEqual([]);
    expect(waitUntil(322 * MICROSECOND)).toHaveLength(3);
  });

  test.each([
    [1, ['flow-started', 'flow-failed']],
    [7, ['flow-started']],
  ])('asks a receiver that is not ready %d times; 7: without end', (rnrRetryCount, events) => {
    const { settle, handle, waitUntil, peer, now, kinds } = newInitiator('send', 10, {
      rnrRetryCount,
    });
    settle();
    for (let i = 0; i < 20; i++) {
      handle(peer.acknowledge(FIRST, 'rnr-nak', 1));
      waitUntil(now() + 11 * MICROSECOND);
    }
    expect(kinds()).toEqual(events);
  });

  test.each([
    [1, 'invalid request'],
    [2, 'remote access error'],
    [3, 'remote operational error'],
  ])('fails at a NAK of code %d: %s', (code, reason) => {
    const { settle, handle, peer, host } = newInitiator('write', 600);
    settle();
    expect(handle(peer.acknowledge(FIRST, 'nak', code))).toEqual([]);
    expect(eventsOf(host).at(-1)).toMatchObject({ kind: 'flow-failed', flow: FLOW, reason });
  });

  test('asks for one acknowledgement in several packets, and with the last one', () => {
    const host = roceHost(1, { feedback: { acknowledgeEvery: 3 } });
    host.startFlow(0, flowTo(2, FLOW, 5 * 256));
    const asked = [];
    for (let now = 0; now < MICROSECOND; now += 1000) {
      asked.push(...sentBy(host, now, 2).map(({ bth }) => bth.ackRequest));
    }
    expect(asked).toEqual([false, false, true, false, true]);
  });

  test('asks sooner where its window is small, or nothing would come back', () => {
    const host = roceHost(1, { feedback: { acknowledgeEvery: 100 }, baseRtt: 60_000 });
    host.startFlow(0, flowTo(2, FLOW, 5 * 256));
    expect(sentBy(host, 0, 2).map(({ bth }) => bth.ackRequest)).toEqual([true]);
  });

  test('refuses acknowledgements of what it has not sent, and of flows that it has not', () => {
    const { host, settle, handle, peer } = newInitiator('write', 600);
    settle();
    handle(peer.acknowledge(1));
    handle(new RawPeer(2, 1, initiatorQpn(TARGET_QP + 1)).acknowledge(0));
    handle(new RawPeer(3, 1, initiatorQpn(TARGET_QP)).acknowledge(0));
    const { packetsRejected } = host.counters();
    expect(packetsRejected['acknowledges-unsent']).toBe(1);
    expect(packetsRejected['unknown-flow']).toBe(2);
    expect(host.flowMetrics(FLOW)?.acknowledgedBytes).toBe(0);
  });

  test('takes what comes after the end of a flow as late', () => {
    const { host, settle, handle, peer } = newInitiator('write', 600);
    settle();
    handle(peer.acknowledge(0), peer.acknowledge(0));
    expect(host.counters().acksLate).toBe(1);
  });

  test('puts the class of a flow into its packets, or where INT keeps it', () => {
    const classOf = (collectEvery: number): (number | undefined)[] => {
      const host = roceHost(1, { feedback: { collectEvery } });
      host.startFlow(0, { ...flowTo(2, FLOW, 600), dscp: 46 });
      const [first, second] = [0, MICROSECOND].map((now) => host.pollTransmit(now)?.bytes);
      // The DSCP of IPv4 and the one that the shim keeps, both without the two bits behind them.
      return [first?.[15], first?.[45], second?.[15]].map((byte) => byte && byte >>> 2);
    };
    expect(classOf(2)).toEqual([0x17, 46, 46]);
    const reading = { ...flowTo(2, FLOW, 600), dscp: 46, operation: 'read' as const };
    expect(() => roceHost(1).startFlow(0, reading)).toThrow('flow 5 is read, so its class');
  });

  test('takes several messages for a long flow, and more bytes for an open one', () => {
    const host = roceHost(1, { initialPsn: () => FIRST, messageBytes: 300 });
    host.startFlow(0, { ...flowTo(2, FLOW, 301), isOpen: true });
    host.appendToFlow(0, FLOW, { bytes: 10, isLast: true });
    const sent: string[] = [];
    for (let now = 0; now < MICROSECOND; now += 1000) {
      sent.push(...sentBy(host, now, 2).map(summary));
    }
    expect(sent).toEqual([
      `write first ${FIRST}`,
      `write last ${FIRST + 1}`,
      'write only 0',
      'write only 1',
    ]);
    const more = { bytes: 1, isLast: true };
    expect(() => host.appendToFlow(MICROSECOND, FLOW, more)).toThrow('cannot grow');
    const again = flowTo(2, FLOW, 1);
    expect(() => host.startFlow(MICROSECOND, again)).toThrow('flow 5 is running already');
  });
});

describe('an initiator that reads', () => {
  test('asks once and takes the responses in order', () => {
    const { settle, handle, peer, kinds, host } = newInitiator('read', 600);
    expect(settle()).toEqual([`read-request ${FIRST}`]);
    handle(peer.response(FIRST, 'first', 256), peer.response(0xff_ffff, 'middle', 256));
    expect(host.flowMetrics(FLOW)?.acknowledgedBytes).toBe(512);
    expect(handle(peer.response(0, 'last', 88))).toEqual(['telemetry-response 0']);
    expect(kinds()).toEqual(['flow-started', 'flow-received', 'flow-completed']);
  });

  test('asks once for the rest when responses are missing', () => {
    const { settle, handle, peer, host } = newInitiator('read', 1024);
    settle();
    const [first, , third, fourth] = [
      peer.response(FIRST, 'first', 256),
      peer.response(0xff_ffff, 'middle', 256),
      peer.response(0, 'middle', 256),
      peer.response(1, 'last', 256),
    ] as const;
    expect(handle(first, third, fourth)).toEqual([`read-request ${FIRST + 1}`]);
    const rest = [
      peer.response(0xff_ffff, 'first', 256),
      peer.response(0, 'middle', 256),
      peer.response(1, 'last', 256),
    ];
    expect(handle(...rest)).toEqual(['telemetry-response 1']);
    expect(host.counters().bytesDelivered).toBe(1024);
  });

  test('asks for the rest when nothing more comes, and gives up after its retries', () => {
    const { settle, handle, waitUntil, peer, kinds } = newInitiator('read', 600, { retryCount: 1 });
    settle();
    handle(peer.response(FIRST, 'first', 256));
    expect(waitUntil(TIMEOUT + 10 * MICROSECOND)).toEqual([`read-request ${FIRST + 1}`]);
    expect(waitUntil(4 * TIMEOUT)).toEqual([]);
    expect(kinds()).toEqual(['flow-started', 'flow-failed']);
  });

  test('does not take responses twice, nor with another length than it asked for', () => {
    const { settle, handle, peer, host } = newInitiator('read', 600);
    settle();
    const first = peer.response(FIRST, 'first', 256);
    handle(
      first,
      first,
      peer.response(0xff_ffff, 'middle', 255),
      peer.response(0xff_ffff, 'last', 88),
    );
    expect(host.counters().bytesDelivered).toBe(256);
  });

  test('has no more READ operations unanswered than it may', () => {
    const given = { messageBytes: 256, readsOutstanding: 2 };
    const { settle, handle, peer } = newInitiator('read', 1024, given);
    expect(settle()).toEqual([`read-request ${FIRST}`, `read-request ${FIRST + 1}`]);
    expect(handle(peer.response(FIRST, 'only', 256))).toEqual([
      `telemetry-response ${FIRST}`,
      'read-request 0',
    ]);
  });

  test('reports again what the target repeats after the end', () => {
    const { settle, handle, peer } = newInitiator('read', 100);
    settle();
    const asking = peer.frame({
      opcode: 0x10,
      psn: FIRST,
      ackRequest: true,
      body: Uint8Array.of(0x1f, 0, 0, 1),
      payload: { length: 100, stored: undefined },
    });
    expect(handle(asking, asking)).toEqual([
      `telemetry-response ${FIRST}`,
      `telemetry-response ${FIRST}`,
    ]);
  });
});
