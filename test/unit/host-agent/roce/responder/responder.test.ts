import type { Packet } from '../../../../../common/packet/packet';
import type { Delivery } from '../../../../../host-agent/host/host-config';
import type { RoceConfig } from '../../../../../host-agent/roce/queue-pair/roce-config';
import { rnrTime } from '../../../../../host-agent/roce/packets/extended-headers';
import { roceHost } from '../../../../support/roce-hosts';
import { FLOW, RawPeer, sentBy, summary, TARGET_QP } from '../../../../support/roce-peer';

/** First PSN: the next but one wraps. */
const FIRST = 0xff_fffe;
const MICROSECOND = 1_000_000;

/** A target that takes packets made by hand, each a microsecond after the last one. */
function newTarget(given: Partial<RoceConfig> = {}) {
  const delivered: Delivery[] = [];
  const host = roceHost(2, {
    initialPsn: () => FIRST,
    deliver: (delivery) => delivered.push(delivery),
    ...given,
  });
  let now = 0;
  const handle = (...packets: readonly Packet[]): string[] =>
    packets.flatMap((packet) => {
      now = (Math.floor(now / MICROSECOND) + 1) * MICROSECOND;
      host.handlePacket(now, packet);
      // Responses are paced.
      const answers = sentBy(host, now, 1);
      for (let i = 1; i < 10; i++) answers.push(...sentBy(host, (now += MICROSECOND / 10), 1));
      return answers.map(summary);
    });
  const ranges = () => delivered.map(({ sequence, length }) => [sequence, length]);
  return { host, handle, delivered, ranges, peer: new RawPeer(1, 2, TARGET_QP) };
}

describe('a target', () => {
  test('executes a WRITE packet by packet, counts its messages, and follows PSNs over their end', () => {
    const { handle, peer, ranges } = newTarget();
    const answers = handle(
      peer.write(FIRST, 'first', 256, { total: 600, at: 1000 }),
      peer.write(0xff_ffff, 'middle', 256),
      peer.write(0, 'last', 88),
      peer.write(1, 'only', 3, { at: 5 }),
      peer.write(2, 'only', 0),
    );
    expect(answers).toEqual([
      `ack ${FIRST}, msn 0`,
      `ack ${FIRST + 1}, msn 0`,
      'ack 0, msn 1',
      'ack 1, msn 2',
      'ack 2, msn 3',
    ]);
    expect(ranges()).toEqual([
      [1000, 256],
      [1256, 256],
      [1512, 88],
      [5, 3],
    ]);
  });

  test('acknowledges when it is asked to, for all packets so far', () => {
    const { handle, peer } = newTarget();
    const first = peer.write(FIRST, 'first', 256, { total: 300, quiet: true });
    expect(handle(first, peer.write(0xff_ffff, 'last', 44))).toEqual([`ack ${FIRST + 1}, msn 1`]);
  });

  test('asks once for what is missing, and again when the other end has gone back in vain', () => {
    const { handle, peer, ranges } = newTarget();
    const packets = [0, 1, 2].map((psn) => peer.write(psn, 'only', 1, { at: psn }));
    const [zero, one, two] = packets as [Packet, Packet, Packet];
    const nak = `nak 0 ${FIRST}, msn 0`;
    expect(handle(one, two)).toEqual([nak]);
    expect(handle(one, two)).toEqual([nak]);
    expect(handle(peer.write(FIRST, 'only', 1), two)).toEqual([
      `ack ${FIRST}, msn 1`,
      `nak 0 ${FIRST + 1}, msn 1`,
    ]);
    handle(peer.write(0xff_ffff, 'only', 1), zero, one, two);
    expect(ranges()).toHaveLength(5);
  });

  test('acknowledges a WRITE that comes again without executing it again', () => {
    const { handle, peer, ranges } = newTarget();
    const packet = peer.write(FIRST, 'only', 10);
    expect(handle(packet, packet)).toEqual([`ack ${FIRST}, msn 1`, `ack ${FIRST}, msn 1`]);
    expect(ranges()).toEqual([[0, 10]]);
  });

  test.each<[string, (peer: RawPeer) => Packet, number]>([
    ['a key of other memory', (peer) => peer.write(FIRST, 'only', 1, { key: 1 }), 2],
    ['an address beyond the memory', (peer) => peer.write(FIRST, 'only', 10, { at: 9999 }), 2],
    ['a READ beyond the memory', (peer) => peer.read(FIRST, 10_001), 2],
    ['a middle packet that follows nothing', (peer) => peer.write(FIRST, 'middle', 256), 1],
    ['a length that contradicts its RETH', (peer) => peer.write(FIRST, 'only', 9, { total: 8 }), 1],
    [
      'an atomic operation',
      (peer) => peer.frame({ opcode: 0x13, psn: FIRST, body: new Uint8Array(28) }),
      1,
    ],
  ])('refuses %s and says nothing more', (_what, packet, code) => {
    const { handle, peer, ranges } = newTarget({ regionBytes: 10_000 });
    expect(handle(packet(peer))).toEqual([`nak ${code} ${FIRST}, msn 0`]);
    expect(handle(peer.write(FIRST, 'only', 1), packet(peer))).toEqual([]);
    expect(ranges()).toEqual([]);
  });

  test('refuses more READ operations than it can hold, behind the responses that it owes', () => {
    const { handle, peer } = newTarget({ readsOutstanding: 1, baseRtt: 20_000 });
    const report = (psn: number): Packet => peer.telemetry(psn, { requestId: 0, hopCount: 0 });
    // A window of 250 bytes, so that the first READ is not answered whole when the second one comes.
    const first = `read-response first ${FIRST}`;
    const middle = `read-response middle ${FIRST + 1}`;
    expect(handle(peer.read(FIRST, 600), peer.read(1, 1))).toEqual([first]);
    expect(handle(report(FIRST), report(0xff_ffff))).toEqual([
      middle,
      'read-response last 0',
      'nak 1 1, msn 1',
    ]);
  });

  test('lets an acknowledgement wait for READ responses that precede it', () => {
    const { host, peer } = newTarget();
    host.handlePacket(0, peer.read(FIRST, 600));
    host.handlePacket(0, peer.write(1, 'only', 1));
    const order: string[] = [];
    for (let now = 0; now < 1_000_000; now += 1_000) {
      order.push(...sentBy(host, now, 1).map(summary));
    }
    expect(order).toEqual([
      `read-response first ${FIRST}`,
      `read-response middle ${FIRST + 1}`,
      'read-response last 0',
      'ack 1, msn 2',
    ]);
  });

  test('answers a READ without bytes by one response without payload', () => {
    const { handle, peer } = newTarget();
    expect(handle(peer.read(FIRST, 0, 0, 0), peer.write(0xff_ffff, 'only', 0))).toEqual([
      `read-response only ${FIRST}`,
      `ack ${FIRST + 1}, msn 2`,
    ]);
  });

  test('is not ready for SEND and immediate data without a buffer, and says for how long', () => {
    let isReady = false;
    const { handle, peer, ranges } = newTarget({ isReceiveReady: () => isReady, rnrTimer: 14 });
    const rnr = `rnr-nak 14 ${FIRST}, msn 0`;
    expect(rnrTime(14)).toBe(1_280_000_000);
    expect(handle(peer.send(FIRST, 'only', 8))).toEqual([rnr]);
    expect(handle(peer.write(FIRST, 'only', 8, { immediate: 1 }))).toEqual([rnr]);
    // The following packet is out of order because of that, which needs no second answer.
    expect(handle(peer.send(0xff_ffff, 'only', 8))).toEqual([]);
    expect(ranges()).toEqual([]);
    isReady = true;
    expect(handle(peer.send(FIRST, 'only', 8), peer.send(0xff_ffff, 'only', 4))).toEqual([
      `ack ${FIRST}, msn 1`,
      `ack ${FIRST + 1}, msn 2`,
    ]);
    expect(ranges()).toEqual([
      [0, 8],
      [8, 4],
    ]);
  });

  test('tells its host of the end of a flow, which immediate data marks', () => {
    const { host, handle, peer } = newTarget();
    handle(peer.write(FIRST, 'only', 8, { at: 92, immediate: FLOW }));
    expect(host.pollEvent()).toEqual({
      kind: 'flow-received',
      flow: FLOW,
      sourceAddress: 0x0a00_0001,
      receivedAt: 1_000_000,
      bytes: 100,
    });
  });

  test('is another one for a later use of the flow id, and drops packets of earlier ones', () => {
    const { host, handle, peer } = newTarget();
    const later = new RawPeer(1, 2, TARGET_QP + 0x1_0000);
    handle(peer.write(FIRST, 'only', 1));
    expect(handle(later.write(FIRST, 'only', 0))).toEqual([`ack ${FIRST}, msn 1`]);
    expect(handle(peer.write(0xff_ffff, 'only', 0))).toEqual([]);
    expect(host.counters().packetsRejected['old-generation']).toBe(1);
  });

  test('begins anew when its initiator does after ten seconds of silence', () => {
    const { host, peer } = newTarget();
    const answersAt = (now: number, packet: Packet): string[] => {
      host.handlePacket(now, packet);
      return sentBy(host, now, 1).map(summary);
    };
    answersAt(0, peer.write(FIRST, 'only', 1));
    expect(answersAt(9e12, peer.write(FIRST, 'only', 1))).toEqual([`ack ${FIRST}, msn 1`]);
    answersAt(20e12, peer.write(FIRST, 'only', 1));
    expect(host.counters().bytesDelivered).toBe(2);
  });
});

describe('what a target is asked for again', () => {
  /** 1000 bytes, of which the target has sent all. */
  function readTarget() {
    const target = newTarget();
    target.handle(target.peer.read(FIRST, 1000));
    return target;
  }

  test('is executed again from there, with a first packet', () => {
    const { handle, peer } = readTarget();
    expect(handle(peer.read(0, 488, 512))).toEqual([
      'read-response first 0',
      'read-response last 1',
    ]);
  });

  test('is not sent once more when a report has said that it has arrived', () => {
    const { handle, peer } = readTarget();
    handle(peer.telemetry(0, { requestId: 0, hopCount: 0 }));
    expect(handle(peer.read(FIRST, 1000))).toEqual([]);
  });

  test('is executed anew when all of it had been reported', () => {
    const { handle, peer } = readTarget();
    handle(peer.telemetry(1, { requestId: 0, hopCount: 0 }));
    expect(handle(peer.read(1, 232, 768))).toEqual(['read-response only 1']);
  });

  test('cannot be memory that may not be read', () => {
    const { handle, peer } = readTarget();
    handle(peer.telemetry(1, { requestId: 0, hopCount: 0 }));
    expect(handle(peer.read(1, 232, 768, 1))).toEqual([]);
  });
});
