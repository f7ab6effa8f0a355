import type { Packet } from '../../../../common/packet/packet';
import { Random } from '../../../../common/random/random';
import { PS_PER_SECOND } from '../../../../common/units/units';
import { readUint16, readUint32 } from '../../../../common/wire/bytes';
import { emitUdp } from '../../../../common/wire/ip/udp';
import type { CongestionEvent } from '../../../../host-agent/algorithm/congestion-control';
import { hpccppFactory } from '../../../../host-agent/algorithm/window-form';
import type { FeedbackOptions } from '../../../../host-agent/feedback/feedback-plan';
import { KeyRing } from '../../../../host-agent/feedback/key-ring';
import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';
import type { LossRecovery } from '../../../../host-agent/transport/recovery/loss-recovery';
import { flowTo, testHost } from '../../../support/hosts';
import { pushHop } from '../../../support/int-hop';
import type { Delayed, Side } from '../../../support/pair-driver';
import { PairDriver } from '../../../support/pair-driver';
import { casesOf } from '../../../support/effort';

const SEEDS = casesOf(100);
/** Each way to recover from losses, and for how many seeds. */
const RECOVERIES: readonly (readonly [LossRecovery, number])[] = [
  ['go-back-n', SEEDS],
  ['selective-repeat', Math.ceil(SEEDS / 4)],
];
const PLANS: readonly FeedbackOptions[] = [
  {},
  { collectEvery: 4 },
  { acknowledgeEvery: 3 },
  { returnBy: 'notification' },
  { collectBy: 'probe' },
  { algorithmAt: 'receiver' },
  { hidesLinks: true },
  { countsFlows: true },
];

const LINK_RATE = 100e9;
const BASE_RTT = 5_000_000;
const TIMEOUT = 500_000_000;
/** The lower bound of the window, W_init / 1000, over T. */
const RATE_MIN = LINK_RATE / 1000;
const DELAY = 2_000_000;
const UDP_AT = 34;
const BYTES = 60_000;

/** Probabilities of faults that the network and an attacker on it cause to feedback. */
const FAULTS = { lost: 0.05, replayed: 0.1, reordered: 0.1, corrupted: 0.1, forged: 0.1 };

/** Changes some bytes of transport header or body and mends the checksum, as an attacker would. */
function forged(packet: Packet, random: Random): Packet {
  const bytes = packet.bytes.slice();
  const count = 1 + random.below(8);
  for (let i = 0; i < count; i++) {
    const at = UDP_AT + 8 + random.below(bytes.length - UDP_AT - 8);
    // Version, type and length stay, so that the packet gets past the parser.
    const isKept = [0, 4, 5].includes(at - UDP_AT - 8);
    if (!isKept) bytes[at] = random.below(256);
  }
  const udp = {
    sourcePort: readUint16(bytes, UDP_AT),
    destinationPort: readUint16(bytes, UDP_AT + 2),
    length: readUint16(bytes, UDP_AT + 4),
  };
  const addresses = { source: readUint32(bytes, 26), destination: readUint32(bytes, 30) };
  emitUdp(udp, bytes, { ...addresses, offset: UDP_AT, end: bytes.length });
  return { bytes, length: packet.length };
}

function corrupted(packet: Packet, random: Random): Packet {
  const bytes = packet.bytes.slice();
  const at = random.below(bytes.length);
  bytes[at] = (bytes[at] as number) ^ (1 << random.below(8));
  return { bytes, length: packet.length };
}

/** A switch that adds telemetry to what goes forward, and faults in what comes back. */
function faultyNetwork(random: Random) {
  const seen: Packet[] = [];
  let txBytes = 0;
  const forward = (packet: Packet, now: number): Packet => {
    if (packet.bytes[15] === 0) return packet;
    const timestamp = Math.floor(now / 1000);
    const queueBytes = random.below(60_000);
    const hop = { switchId: 1, portId: 1, timestamp, txBytes, queueBytes, capacity: LINK_RATE };
    txBytes += packet.length + 32;
    return pushHop(packet, hop);
  };
  const back = (packet: Packet): readonly Delayed[] => {
    seen.push(packet);
    const copies: Delayed[] = [];
    const happens = (fault: keyof typeof FAULTS): boolean => random.uniform() < FAULTS[fault];
    const by = happens('reordered') ? random.below(3 * BASE_RTT) : 0;
    const arriving = happens('corrupted') ? corrupted(packet, random) : packet;
    if (!happens('lost')) copies.push({ packet: arriving, by });
    const old = seen[random.below(seen.length)];
    if (happens('replayed') && old !== undefined)
      copies.push({ packet: old, by: random.below(DELAY) });
    if (happens('forged')) copies.push({ packet: forged(packet, random), by: 0 });
    return copies;
  };
  return (from: Side, packet: Packet, now: number) =>
    from === 0 ? forward(packet, now) : back(packet);
}

const payload = (sequence: number, into: Uint8Array): void =>
  into.forEach((_, i) => (into[i] = (sequence + i) % 251));

function run(seed: number, lossRecovery: LossRecovery) {
  const random = new Random(seed);
  const feedback = PLANS[seed % PLANS.length] ?? {};
  const key = new Uint8Array(32).fill(seed & 0xff);
  const events: CongestionEvent[] = [];
  const received: number[][] = [[], []];
  const shared = { feedback, keyRing: new KeyRing(hmacSha256, 1, key), baseRtt: BASE_RTT };
  const congestionControl = hpccppFactory({ plausibilityLimits: {} });
  const observe = (_flow: number, event: CongestionEvent): number => events.push(event);
  const hosts = [
    testHost(1, { ...shared, congestionControl, observe, lossRecovery }),
    testHost(2, {
      ...shared,
      congestionControl,
      deliver: ({ flow, stored }) => received[flow]?.push(...stored),
    }),
  ] as const;
  const driver = new PairDriver(hosts, { delay: DELAY, network: faultyNetwork(random) });
  received.forEach((_, id) => hosts[0].startFlow(0, { ...flowTo(2, id, BYTES), payload }));
  const isOver = driver.run(PS_PER_SECOND);
  return { driver, hosts, events, received, isOver };
}

/** The longest time in which the sender put nothing on its link. */
function longestSilence({ driver }: ReturnType<typeof run>): number {
  const times = driver.sent.filter(({ from }) => from === 0).map(({ at }) => at);
  return times.reduce((longest, at, i) => Math.max(longest, at - (times[i - 1] ?? 0)), 0);
}

describe('feedback that is forged, replayed, reordered, corrupted or missing', () => {
  it.each(RECOVERIES)(
    'does no more than slow a flow down with %s, %d seeds',
    (recovery, seeds) => {
      let refused = 0;
      for (let seed = 1; seed <= seeds; seed++) {
        const result = run(seed, recovery);
        const { hosts, events, received, isOver } = result;
        // Every byte arrives once and in order, and both flows end.
        expect({ seed, isOver }).toEqual({ seed, isOver: true });
        for (const bytes of received) {
          expect(bytes).toHaveLength(BYTES);
          expect(bytes.every((byte, i) => byte === i % 251)).toBe(true);
        }
        for (const event of events) {
          if (event.kind !== 'window-updated') continue;
          expect(event.pacingRate).toBeGreaterThanOrEqual(RATE_MIN * 0.999);
          expect(event.pacingRate).toBeLessThanOrEqual(LINK_RATE * 1.001);
        }
        // Repeated losses of the last acknowledgement double the timeout; nothing else may add to it.
        expect({ seed, isLong: longestSilence(result) > 4 * TIMEOUT }).toEqual({
          seed,
          isLong: false,
        });
        const { packetsRejected } = hosts[0].counters();
        refused += packetsRejected.unauthenticated + packetsRejected.replayed;
        // Feedback without a valid code never gets as far as being compared with the sent bytes.
        expect(packetsRejected['acknowledges-unsent']).toBe(0);
        expect(packetsRejected.unrequested).toBe(0);
      }
      expect(refused).toBeGreaterThan(seeds);
    },
    600_000,
  );

  it('is refused without keys of our own, where keys are asked for', () => {
    const sender = testHost(1, { keyRing: new KeyRing(hmacSha256, 1, new Uint8Array(32)) });
    const receiver = testHost(2);
    const driver = new PairDriver([sender, receiver], { delay: DELAY });
    sender.startFlow(0, flowTo(2, 0, 1000));
    driver.run(TIMEOUT - 1);
    expect(sender.counters().packetsRejected.unauthenticated).toBe(1);
    expect(sender.flowMetrics(0)?.acknowledgedBytes).toBe(0);
  });
});
