import { Random } from '../../../../common/random/random';
import type { KeyRing } from '../../../../host-agent/feedback/key-ring';
import { flowTo } from '../../../support/hosts';
import type { PairOptions } from '../../../support/pair-driver';
import { DELAY, END, isWhole, pair, payload, ring } from './strangers';

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
