import type { Packet } from '../../../../common/packet/packet';
import { Random } from '../../../../common/random/random';
import { PS_PER_SECOND } from '../../../../common/units/units';
import type { CoordinationEvent } from '../../../../host-agent/coordination/coordination-options';
import { hpccppFactory } from '../../../../host-agent/algorithm/window-form';
import { flowTo, testHost } from '../../../support/hosts';
import { pushHop } from '../../../support/int-hop';
import {
  frameAround,
  networkKeys,
  NOTIFICATION_AT,
  notificationFrame,
} from '../../../support/notifications';
import type { Delayed, Side } from '../../../support/pair-driver';
import { PairDriver } from '../../../support/pair-driver';
import { EFFORT } from '../../../support/effort';

const SEEDS = 20 * EFFORT;

const BASE_RTT = 5_000_000;
const HOLD = 2 * BASE_RTT;
const DELAY = 2_000_000;
const LINK_RATE = 100e9;
const BYTES = 400_000;
const PORT = 49152;

/** Probabilities of faults that the network and an attacker on it cause to notifications. */
const FAULTS = { lost: 0.3, replayed: 0.2, reordered: 0.3, forged: 0.2 };

/** A switch between two hosts that speaks of the flow at random, through a network of faults. */
class FaultySwitch {
  readonly sentTypeOne: { readonly at: number }[] = [];
  forged = 0;
  replayed = 0;
  readonly #seen: Packet[] = [];
  #number = 0;
  #txBytes = 0;

  constructor(private readonly random: Random) {}

  pass(from: Side, packet: Packet, now: number): Packet | readonly Delayed[] {
    if (from === 0) return this.#withTelemetry(packet, now);
    return [{ packet, by: 0 }, ...this.#notify(now)];
  }

  #withTelemetry(packet: Packet, now: number): Packet {
    const timestamp = Math.floor(now / 1000);
    const queueBytes = this.random.below(60_000);
    const link = { switchId: 1, portId: 1, capacity: LINK_RATE };
    const hop = { ...link, timestamp, txBytes: this.#txBytes, queueBytes };
    this.#txBytes += packet.length + 32;
    return pushHop(packet, hop);
  }

  #notify(now: number): Delayed[] {
    if (this.random.uniform() > 0.03) return [];
    const happens = (fault: keyof typeof FAULTS): boolean => this.random.uniform() < FAULTS[fault];
    const types = ['control-required', 'control-released', 'rerouting-required'] as const;
    const type = types[this.random.below(3)] ?? 'control-required';
    const senderNode = 7 + this.random.below(2);
    const packet = notificationFrame({
      type,
      number: ++this.#number,
      sourcePort: PORT,
      senderNode,
    });
    const copies: Delayed[] = [];
    const by = happens('reordered') ? this.random.below(4 * BASE_RTT) : 0;
    if (!happens('lost')) {
      copies.push({ packet, by });
      if (type === 'control-required') this.sentTypeOne.push({ at: now + by + DELAY });
    }
    const old = this.#seen[this.random.below(this.#seen.length)];
    if (happens('replayed') && old !== undefined) {
      this.replayed++;
      copies.push({ packet: old, by: 0 });
    }
    if (happens('forged')) copies.push({ packet: this.#forge(packet), by: 0 });
    // Only what has arrived once is replayed, so that each replay must be refused.
    if (copies[0]?.packet === packet && by === 0) this.#seen.push(packet);
    return copies;
  }

  /** Another flow key, sender or number under a code that was right for the original. */
  #forge(packet: Packet): Packet {
    this.forged++;
    const payload = packet.bytes.slice(NOTIFICATION_AT);
    const at = [7, 12, 15, 23, 35][this.random.below(5)] ?? 7;
    payload[at] = (payload[at] as number) ^ (1 + this.random.below(255));
    return frameAround(payload);
  }
}

function run(seed: number) {
  const told: CoordinationEvent[] = [];
  const device = new FaultySwitch(new Random(seed));
  const coordination = {
    keys: networkKeys(),
    holdTime: HOLD,
    observe: (event: CoordinationEvent): number => told.push(event),
  };
  const shared = { baseRtt: BASE_RTT, congestionControl: hpccppFactory() };
  const hosts = [testHost(1, { ...shared, coordination }), testHost(2, shared)] as const;
  const driver = new PairDriver(hosts, {
    delay: DELAY,
    network: (from, packet, now) => device.pass(from, packet, now),
  });
  hosts[0].startFlow(0, { ...flowTo(2, 0, BYTES), sourcePort: PORT });
  const isOver = driver.run(PS_PER_SECOND);
  return { driver, host: hosts[0], told, device, isOver };
}

/** From each setting of CC to its clearing; the last one may end with the flow. */
function controlledTimes(told: readonly CoordinationEvent[]): readonly [number, number][] {
  const spans: [number, number][] = [];
  for (const { kind, at } of told) {
    if (kind === 'tagged') spans.push([at, Infinity]);
    const last = spans.at(-1);
    if ((kind === 'released' || kind === 'expired') && last !== undefined) last[1] = at;
  }
  return spans;
}

describe('notifications that are lost, duplicated, reordered, forged or replayed', () => {
  it(`pin no flow, starve no flow, and forged ones are counted, ${SEEDS} seeds`, () => {
    const totals = { forged: 0, replayed: 0, tagged: 0, expired: 0 };
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { driver, host, told, device, isOver } = run(seed);
      expect({ seed, isOver }).toEqual({ seed, isOver: true });
      const ends = driver.events[0].filter(({ kind }) => kind === 'flow-completed');
      expect({ seed, ends: ends.length }).toEqual({ seed, ends: 1 });
      const counters = host.coordination();
      const refused = { seed, forged: counters?.unauthenticated };
      expect(refused).toEqual({ seed, forged: device.forged });
      expect(counters?.replayed).toBeGreaterThanOrEqual(device.replayed);
      const lastWord = (until: number): number =>
        Math.max(-Infinity, ...device.sentTypeOne.flatMap(({ at }) => (at <= until ? [at] : [])));
      const end = ends[0]?.kind === 'flow-completed' ? ends[0].completedAt : 0;
      for (const [, to] of controlledTimes(told)) {
        // One microsecond for frames that were on their way into the host.
        const until = Math.min(to, end);
        expect(until - lastWord(until)).toBeLessThanOrEqual(HOLD + 1_000_000);
      }
      // Each type 3 moves the flow at most once, and no two of them within the hold of a path.
      const moves = told.filter(({ kind }) => kind === 'rerouted').map(({ at }) => at);
      moves.forEach((at, i) => {
        if (i > 0) expect(at - (moves[i - 1] ?? 0)).toBeGreaterThanOrEqual(4 * BASE_RTT);
      });
      totals.forged += device.forged;
      totals.replayed += device.replayed;
      totals.tagged += told.filter(({ kind }) => kind === 'tagged').length;
      totals.expired += counters?.expired ?? 0;
    }
    for (const count of Object.values(totals)) expect(count).toBeGreaterThan(0);
  });
});
