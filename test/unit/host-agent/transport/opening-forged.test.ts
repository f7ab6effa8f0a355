import { Random } from '../../../../common/random/random';
import { PS_PER_SECOND } from '../../../../common/units/units';
import { HPCC_FLAG_FIN } from '../../../../common/wire/hpcc/hpcc-transport';
import { EFFORT } from '../../../support/effort';
import { heapInUse } from '../../../support/heap-in-use';
import { addressOf, flowTo, testHost } from '../../../support/hosts';
import { testOpening } from '../../../support/opening';
import { END, forged, isWhole, pair, payload, quickCode, ring } from './strangers';

/** By default a part of what an attacker sends in the table of attacks. */
const PART = Math.min(1, EFFORT / 4);
const SPOOFED = 65_536 * PART;
const FLOWS = 468_000 * PART;

describe('row 3: 65,536 spoofed packets of data', () => {
  test.each([
    ['without keys', undefined],
    ['with keys', 1],
  ])('neither end the running flow nor count as delivered, %s', (_, key) => {
    const keys = key === undefined ? {} : { keyRing: ring(1) };
    const { sender, receiver, received, driver } = pair({ own: keys, peers: keys });
    sender.startFlow(0, { ...flowTo(2, 1, 600_000), payload });
    driver.run(20_000_000);
    const random = new Random(3);
    const word = (): number => Math.floor(random.uniform() * 0x1_0000_0000);
    for (let i = 0; i < SPOOFED; i++) {
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
      0.99 * SPOOFED,
    );
  });
});

describe('row 4: 468,000 forged flows', () => {
  test('take at most 64 MB, which is given back, and are counted', () => {
    const opening = { ...testOpening(2), mac: quickCode };
    const receiver = testHost(2, { opening });
    const random = new Random(4);
    const word = (): number => Math.floor(random.uniform() * 0x1_0000_0000);
    const idle = heapInUse();
    for (let i = 0; i < FLOWS; i++) {
      const token = { high: word(), low: word() };
      const source = 0x0b00_0000 + (i % (10_000 * PART));
      receiver.handlePacket(i * 1_000_000, forged(source, { flow: i % 65_536, token }));
      while (receiver.pollTransmit(i * 1_000_000) !== undefined);
      while (receiver.pollEvent() !== undefined);
    }
    const { packetsRejected, bytesDelivered } = receiver.counters();
    expect(bytesDelivered).toBe(0);
    expect(packetsRejected.unconfirmed).toBeGreaterThan(FLOWS - 8_000);
    expect(heapInUse() - idle).toBeLessThan(64e6 * PART);
    let now = FLOWS * 1_000_000;
    for (let i = 0; i < 10 && receiver.pollWakeup() !== undefined; i++) {
      now += PS_PER_SECOND;
      receiver.handleWakeup(now);
    }
    // Nothing waits for anything any more: all are forgotten.
    expect(receiver.pollWakeup()).toBeUndefined();
  });
});
