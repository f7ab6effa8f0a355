import * as fc from 'fast-check';
import type { Packet } from '../../../../common/packet/packet';
import { Random } from '../../../../common/random/random';
import { PS_PER_SECOND } from '../../../../common/units/units';
import { HPCC_ACK, HPCC_DATA, HPCC_FLAG_SACK } from '../../../../common/wire/hpcc/hpcc-transport';
import type { SackBlock } from '../../../../common/wire/hpcc/selective-ack';
import { readSelectiveAck } from '../../../../common/wire/hpcc/selective-ack';
import type { HostConfig } from '../../../../host-agent/host/host-config';
import { parseFrame } from '../../../../host-agent/transport/frames/received-frame';
import { addressOf, flowTo, testHost } from '../../../support/hosts';
import type { Delayed } from '../../../support/pair-driver';
import { PairDriver } from '../../../support/pair-driver';
import { casesOf } from '../../../support/effort';

/** Runs of the property test; thousands in a long run. */
const RUNS = casesOf(30);

const DELAY = 2_000_000;
const BASE_RTT = 5_000_000;

interface Disorder {
  readonly flows: readonly number[];
  readonly lossRate: number;
  readonly repeatRate: number;
  /** Share of packets that take up to `lateBy` longer. */
  readonly lateRate: number;
  readonly lateBy: number;
  readonly acknowledgeEvery: number;
  readonly seed: number;
}

const anyDisorder: fc.Arbitrary<Disorder> = fc.record({
  flows: fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 3 }),
  lossRate: fc.constantFrom(0, 0.02, 0.2),
  repeatRate: fc.constantFrom(0, 0.1),
  lateRate: fc.constantFrom(0, 0.1, 0.5),
  lateBy: fc.constantFrom(200_000, BASE_RTT, 8 * BASE_RTT),
  acknowledgeEvery: fc.constantFrom(1, 1, 3),
  seed: fc.nat(),
});

const payload = (sequence: number, into: Uint8Array): void =>
  into.forEach((_, i) => (into[i] = (sequence + i) % 251));

/** Loses, repeats and delays packets of both directions. */
function disorder({ seed, lossRate, repeatRate, lateRate, lateBy }: Disorder) {
  const random = new Random(seed);
  return (_from: unknown, packet: Packet): readonly Delayed[] => {
    const copies: Delayed[] = [];
    const by = (): number => (random.uniform() < lateRate ? random.below(lateBy) : 0);
    if (random.uniform() >= lossRate) copies.push({ packet, by: by() });
    if (random.uniform() < repeatRate) copies.push({ packet, by: by() });
    return copies;
  };
}

/** Bytes that the sender knows to have arrived, to compare with what it sends again. */
class ToldBytes {
  readonly #acknowledged = new Map<number, number>();
  readonly #blocks = new Map<number, SackBlock[]>();

  note(packet: Packet): void {
    const frame = parseFrame(packet, addressOf(1));
    if ('reason' in frame || frame.transport.type !== HPCC_ACK) return;
    const { flowId, sequence, flags } = frame.transport;
    this.#acknowledged.set(flowId, Math.max(sequence, this.#acknowledged.get(flowId) ?? 0));
    if ((flags & HPCC_FLAG_SACK) === 0) return;
    const at = frame.transport.bodyAt + frame.transport.recordsLength;
    const known = this.#blocks.get(flowId) ?? [];
    this.#blocks.set(flowId, [...known, ...readSelectiveAck(packet.bytes, at, sequence)]);
  }

  /** True if all bytes of a segment that leaves have been acknowledged. */
  hasAllOf(packet: Packet): boolean {
    const frame = parseFrame(packet, addressOf(2));
    if ('reason' in frame || frame.transport.type !== HPCC_DATA) return false;
    const { flowId, sequence, length } = frame.transport;
    const end = sequence + length;
    if (end <= (this.#acknowledged.get(flowId) ?? 0)) return true;
    const blocks = this.#blocks.get(flowId) ?? [];
    return blocks.some(({ from, to }) => from <= sequence && end <= to);
  }
}

function start(run: Disorder, senders: Partial<HostConfig> = {}) {
  const received = run.flows.map(() => [] as number[]);
  const feedback = { acknowledgeEvery: run.acknowledgeEvery };
  const hosts = [
    testHost(1, { feedback, lossRecovery: 'selective-repeat', ...senders }),
    testHost(2, { feedback, deliver: ({ flow, stored }) => received[flow]?.push(...stored) }),
  ] as const;
  const driver = new PairDriver(hosts, { delay: DELAY, network: disorder(run) });
  run.flows.forEach((bytes, id) => hosts[0].startFlow(0, { ...flowTo(2, id, bytes), payload }));
  return { driver, hosts, received };
}

const still = { lossRate: 0, repeatRate: 0, lateRate: 0, lateBy: 1, acknowledgeEvery: 1, seed: 1 };

const repeated = (driver: PairDriver): number =>
  driver.events[0].reduce(
    (sum, event) => sum + (event.kind === 'flow-completed' ? event.segmentsRetransmitted : 0),
    0,
  );

describe('two hosts of which one repeats single segments', () => {
  it('deliver every byte once and in order, and repeat nothing that was acknowledged', () => {
    fc.assert(
      fc.property(anyDisorder, (run) => {
        const { driver, hosts, received } = start(run);
        const told = new ToldBytes();
        const take = hosts[0].handlePacket.bind(hosts[0]);
        hosts[0].handlePacket = (now, packet) => {
          told.note(packet);
          take(now, packet);
        };
        const poll = hosts[0].pollTransmit.bind(hosts[0]);
        hosts[0].pollTransmit = (now) => {
          const packet = poll(now);
          if (packet !== undefined) expect(told.hasAllOf(packet)).toBe(false);
          return packet;
        };
        expect(driver.run(100 * PS_PER_SECOND)).toBe(true);
        run.flows.forEach((bytes, id) => {
          expect(received[id]).toHaveLength(bytes);
          expect(received[id]?.every((byte, i) => byte === i % 251)).toBe(true);
        });
      }),
      { numRuns: RUNS },
    );
  });

  it('look the same as hosts that go back, but for one flag, while nothing is missing', () => {
    const run = { ...still, flows: [50_000] };
    const plain = start(run, { lossRecovery: 'go-back-n' });
    const selective = start(run);
    plain.driver.run(PS_PER_SECOND);
    selective.driver.run(PS_PER_SECOND);
    const when = ({ driver }: typeof plain) =>
      driver.sent.map(({ at, packet }) => [at, packet.length]);
    expect(when(selective)).toEqual(when(plain));
  });

  it('repeat nothing for packets that are late by less than one base RTT', () => {
    const run = { ...still, flows: [200_000], lateRate: 0.3, lateBy: 2_000_000 };
    const { driver } = start(run);
    const goingBack = start(run, { lossRecovery: 'go-back-n' }).driver;
    expect(driver.run(PS_PER_SECOND) && goingBack.run(PS_PER_SECOND)).toBe(true);
    expect(repeated(driver)).toBe(0);
    expect(repeated(goingBack)).toBeGreaterThan(100);
  });

  it('repeat just the segment that was lost, before the timeout', () => {
    const { hosts, driver } = start({ ...still, flows: [100_000] });
    let count = 0;
    const lossy = new PairDriver(hosts, {
      delay: DELAY,
      network: (from, packet) => (from === 0 && ++count === 20 ? undefined : packet),
    });
    expect(driver.sent).toEqual([]);
    expect(lossy.run(PS_PER_SECOND)).toBe(true);
    expect(repeated(lossy)).toBe(1);
    expect(lossy.now).toBeLessThan(100_000_000);
  });

  it('send no further than four bandwidth-delay products beyond what is missing', () => {
    const { hosts } = start({ ...still, flows: [2_000_000] });
    const lossy = new PairDriver(hosts, {
      delay: DELAY,
      // The first segment never arrives.
      network: (from, packet) => {
        const frame = parseFrame(packet, addressOf(2));
        return from === 0 && 'transport' in frame && frame.transport.sequence === 0
          ? undefined
          : packet;
      },
    });
    lossy.run(3_000_000_000);
    const metrics = hosts[0].flowMetrics(0);
    // 100 Gb/s times 5 us are 62,500 bytes.
    expect(metrics?.sentBytesMax).toBeGreaterThan(200_000);
    expect(metrics?.sentBytesMax).toBeLessThanOrEqual(4 * 62_500 + 1000);
    expect(metrics?.acknowledgedBytes).toBe(0);
    expect(hosts[1].counters().bytesDelivered).toBe(0);
  });
});

describe('a host that goes back', () => {
  it('refuses selective acknowledgements, which it has not asked for', () => {
    const { hosts, driver } = start({ ...still, flows: [5000] }, { lossRecovery: 'go-back-n' });
    const asking = testHost(1, { lossRecovery: 'selective-repeat' });
    asking.startFlow(0, flowTo(2, 0, 5000));
    asking.pollTransmit(0);
    const second = asking.pollTransmit(200_000);
    if (second === undefined) throw new Error('a second segment was expected');
    hosts[1].handlePacket(300_000, second);
    const answer = hosts[1].pollTransmit(300_000);
    if (answer === undefined) throw new Error('an acknowledgement was expected');
    hosts[0].handlePacket(300_000, answer);
    expect(hosts[0].counters().packetsRejected.unrequested).toBe(1);
    expect(driver.now).toBe(0);
  });
});
