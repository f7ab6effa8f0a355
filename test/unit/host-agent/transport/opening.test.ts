import type { Packet } from '../../../../common/packet/packet';
import { Random } from '../../../../common/random/random';
import { PS_PER_SECOND } from '../../../../common/units/units';
import { HPCC_DATA, HPCC_FLAG_FIN } from '../../../../common/wire/hpcc/hpcc-transport';
import type { FlowToken } from '../../../../common/wire/hpcc/hpcc-transport';
import { KeyRing } from '../../../../host-agent/feedback/key-ring';
import type { HostConfig } from '../../../../host-agent/host/host-config';
import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';
import type { HostAgent } from '../../../../host-agent/transport/host';
import { ByteSlab } from '../../../../host-agent/transport/frames/byte-slab';
import { FrameTemplate, tailOf } from '../../../../host-agent/transport/frames/frame-template';
import { heapInUse } from '../../../support/heap-in-use';
import { addressOf, flowTo, macOf, testHost } from '../../../support/hosts';
import { testOpening } from '../../../support/opening';
import type { PairOptions } from '../../../support/pair-driver';
import { PairDriver } from '../../../support/pair-driver';

const DELAY = 2_000_000;
const END = PS_PER_SECOND;
const payload = (sequence: number, into: Uint8Array): void =>
  into.forEach((_, i) => (into[i] = (sequence + i) % 251));
const ring = (byte: number): KeyRing => new KeyRing(hmacSha256, 1, new Uint8Array(32).fill(byte));

/** In the place of HMAC where half a million are wanted; nobody attacks it. */
function quickCode(_key: Uint8Array, message: Uint8Array): Uint8Array {
  const code = new Uint8Array(32);
  message.forEach((byte, i) => (code[i % 8] = (31 * (code[i % 8] ?? 0) + byte) & 0xff));
  return code;
}

interface Pair {
  readonly sender: HostAgent;
  readonly receiver: HostAgent;
  readonly received: number[];
  readonly driver: PairDriver;
}

function pair({
  options,
  own,
  peers,
}: {
  options?: Partial<PairOptions>;
  own?: Partial<HostConfig>;
  peers?: Partial<HostConfig>;
} = {}): Pair {
  const received: number[] = [];
  const sender = testHost(1, { opening: testOpening(1), ...own });
  const receiver = testHost(2, {
    opening: testOpening(2),
    deliver: ({ stored }) => received.push(...stored),
    ...peers,
  });
  const driver = new PairDriver([sender, receiver], { delay: DELAY, ...options });
  return { sender, receiver, received, driver };
}

/** Whether these are the bytes of a flow, once and in order. PERF: jest compares numbers slowly. */
const isWhole = (received: readonly number[], bytes: number): boolean =>
  received.length === bytes && received.every((byte, i) => byte === i % 251);

const slab = new ByteSlab();

/** A frame that claims to come from host `from`. */
function forged(from: number, fields: Partial<Forgery> = {}): Packet {
  const { flow = 1, generation = 0, sequence = 0, token, flags = 0, length = 8 } = fields;
  const addressing = {
    ...{ sourceMac: macOf(3), destinationMac: macOf(2), sourcePort: 50_000 },
    ...{ sourceAddress: from, destinationAddress: addressOf(2), intHopLimit: undefined },
  };
  const transport = { type: HPCC_DATA, flowId: flow, generation, token } as const;
  const template = new FrameTemplate(addressing, transport);
  const body = new Uint8Array(length).fill(0xee);
  const stamped = { flags, sequence, length, identification: 0 };
  const bytes = template.emit(stamped, slab, tailOf(body));
  return { bytes, length: bytes.length };
}

interface Forgery {
  readonly flow: number;
  readonly generation: number;
  readonly sequence: number;
  readonly token: FlowToken;
  readonly flags: number;
  readonly length: number;
}

describe('flows between strangers', () => {
  test.each([1, 999, 1000, 1001, 5000, 400_000])('arrive once and in order: %d bytes', (bytes) => {
    const { sender, receiver, received, driver } = pair();
    sender.startFlow(0, { ...flowTo(2, 7, bytes), payload });
    driver.run(END);
    expect(isWhole(received, bytes)).toBe(true);
    expect(driver.events[0].map(({ kind }) => kind)).toContain('flow-completed');
    expect(driver.events[1].filter(({ kind }) => kind === 'flow-received')).toHaveLength(1);
    expect(receiver.counters().bytesDelivered).toBe(bytes);
  });

  test.each(['go-back-n', 'selective-repeat'] as const)('survive losses: %s', (lossRecovery) => {
    for (let seed = 1; seed <= 8; seed++) {
      const random = new Random(seed);
      const network: PairOptions['network'] = (_from, packet) =>
        random.uniform() < 0.2 ? undefined : packet;
      const { sender, received, driver } = pair({ options: { network }, own: { lossRecovery } });
      sender.startFlow(0, { ...flowTo(2, 7, 20_500), payload });
      driver.run(END);
      expect([seed, isWhole(received, 20_500)]).toEqual([seed, true]);
    }
  });

  test('need no round trip more for a further flow to a host that is known', () => {
    const durations = [0, 0];
    const { sender, driver } = pair();
    for (const i of [0, 1]) {
      const startedAt = driver.now;
      sender.startFlow(startedAt, flowTo(2, i, 1000));
      driver.run(startedAt + END);
      const done = driver.events[0].find((e) => e.kind === 'flow-completed' && e.flow === i);
      durations[i] = done?.kind === 'flow-completed' ? done.completedAt - startedAt : 0;
    }
    expect(durations[0]).toBeGreaterThan(4 * DELAY);
    expect(durations[1]).toBeLessThan(3 * DELAY);
  });

  test('are told by keys of both hosts, and go nowhere with those of one', () => {
    const outcome = (own?: KeyRing, peers?: KeyRing): [number, number] => {
      const { sender, receiver, driver } = pair({
        ...(own && { own: { keyRing: own } }),
        ...(peers && { peers: { keyRing: peers } }),
      });
      sender.startFlow(0, flowTo(2, 7, 3000));
      driver.run(END / 10);
      const { packetsRejected } = sender.counters();
      return [
        receiver.counters().bytesDelivered,
        packetsRejected.signed + packetsRejected.unauthenticated,
      ];
    };
    expect(outcome(ring(1), ring(1))).toEqual([3000, 0]);
    for (const [own, peers] of [
      [ring(1), ring(2)],
      [ring(1), undefined],
      [undefined, ring(1)],
    ]) {
      const [delivered, refused] = outcome(own, peers);
      expect(delivered).toBe(0);
      expect(refused).toBeGreaterThan(0);
    }
  });
});

describe('row 3: 65,536 spoofed packets of data', () => {
  test.each([
    ['without keys', undefined],
    ['with keys', 1],
  ])(
    'neither end the running flow nor count as delivered, %s',
    (_, key) => {
      const keys = key === undefined ? {} : { keyRing: ring(1) };
      const { sender, receiver, received, driver } = pair({ own: keys, peers: keys });
      sender.startFlow(0, { ...flowTo(2, 1, 600_000), payload });
      driver.run(20_000_000);
      const random = new Random(3);
      const word = (): number => Math.floor(random.uniform() * 0x1_0000_0000);
      for (let i = 0; i < 65_536; i++) {
        const token = i % 3 === 0 ? {} : { token: { high: word(), low: word() } };
        const generation = i % 2 === 0 ? 0 : i & 0xffff;
        receiver.handlePacket(
          driver.now,
          forged(addressOf(1), {
            generation,
            sequence: 8 * (i % 4),
            flags: HPCC_FLAG_FIN,
            ...token,
          }),
        );
        while (receiver.pollTransmit(driver.now) !== undefined);
        while (receiver.pollEvent() !== undefined);
      }
      driver.run(END);
      expect(isWhole(received, 600_000)).toBe(true);
      expect(receiver.counters().bytesDelivered).toBe(600_000);
      const { packetsRejected } = receiver.counters();
      expect(packetsRejected.unconfirmed + packetsRejected['old-generation']).toBeGreaterThan(
        65_000,
      );
    },
    240_000,
  );
});

describe('row 4: 468,000 forged flows', () => {
  test('take at most 64 MB, which is given back, and are counted', () => {
    const opening = { ...testOpening(2), mac: quickCode };
    const receiver = testHost(2, { opening });
    const random = new Random(4);
    const word = (): number => Math.floor(random.uniform() * 0x1_0000_0000);
    const idle = heapInUse();
    for (let i = 0; i < 468_000; i++) {
      const token = { high: word(), low: word() };
      const source = 0x0b00_0000 + (i % 10_000);
      receiver.handlePacket(i * 1_000_000, forged(source, { flow: i % 65_536, token }));
      while (receiver.pollTransmit(i * 1_000_000) !== undefined);
      while (receiver.pollEvent() !== undefined);
    }
    const { packetsRejected, bytesDelivered } = receiver.counters();
    expect(bytesDelivered).toBe(0);
    expect(packetsRejected.unconfirmed).toBeGreaterThan(460_000);
    expect(heapInUse() - idle).toBeLessThan(64e6);
    let now = 468_000 * 1_000_000;
    for (let i = 0; i < 10 && receiver.pollWakeup() !== undefined; i++) {
      now += PS_PER_SECOND;
      receiver.handleWakeup(now);
    }
    // Nothing waits for anything any more: all are forgotten.
    expect(receiver.pollWakeup()).toBeUndefined();
  }, 240_000);
});
