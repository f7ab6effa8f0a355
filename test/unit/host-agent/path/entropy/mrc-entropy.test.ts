import { Random } from '../../../../../common/random/random';
import { MrcEntropy } from '../../../../../host-agent/path/entropy/mrc-entropy';
import { RetiredPorts } from '../../../../../host-agent/path/entropy/retired-ports';

const T = 8_000_000;
const MSS = 1000;

const portOf = (entropy: number): number => 50_000 + entropy;
const mrc = (count = 4096, pathOf?: (port: number) => number): MrcEntropy =>
  new MrcEntropy(
    { count, portOf, random: new Random(1), pathOf },
    { baseRtt: T, mss: MSS, inFlightMax: 4096 },
  );

/** Source ports of the next packets, which are segments from the first on. */
const takes = (from: MrcEntropy, count: number, first = 0): number[] =>
  Array.from({ length: count }, (_, i) => from.take(0, (first + i) * MSS));

describe('MRC', () => {
  test('uses 128 entropies in turn, or as many as there are', () => {
    const ports = takes(mrc(), 256);
    expect(new Set(ports.slice(0, 128)).size).toBe(128);
    expect(ports.slice(128)).toEqual(ports.slice(0, 128));
    expect(new Set(takes(mrc(4), 100)).size).toBe(4);
  });

  test('exchanges the entropy of a congested path, and no other', () => {
    const policy = mrc();
    const [first = 0, ...others] = takes(policy, 128);
    policy.handleReturn(0, first, true);
    const [next, ...same] = takes(policy, 128, 128);
    expect(next).not.toBe(first);
    expect(same).toEqual(others);
    // It may be drawn again: a congested path is no failed one.
    expect(policy.retired.has(first)).toBe(false);
  });

  test('exchanges one in a round trip, since packets behind each other met the same queue', () => {
    const policy = mrc();
    const ports = takes(policy, 128);
    for (const port of ports.slice(0, 20)) policy.handleReturn(0, port, true);
    policy.handleReturn(T, ports[20] ?? 0, true);
    const later = takes(policy, 128, 128);
    const exchanged = ports.flatMap((port, i) => (later[i] === port ? [] : [i]));
    expect(exchanged).toEqual([0, 20]);
  });

  test('retires the entropy of a lost segment at once, for one that is known to be good', () => {
    const policy = mrc();
    const [good = 0, lost = 0] = takes(policy, 128);
    policy.handleReturn(0, good, false);
    policy.handleLoss(5, MSS);
    expect(policy.retired.has(lost)).toBe(true);
    const later = takes(policy, 128, 128);
    expect(later).not.toContain(lost);
    expect(later.filter((port) => port === good)).toHaveLength(2);
  });

  test('draws no retired entropy, and holds none for good', () => {
    const policy = mrc(8);
    const ports = takes(policy, 8);
    for (let i = 0; i < 7; i++) policy.handleLoss(0, i * MSS);
    const [left = 0] = ports.slice(7);
    policy.handleReturn(0, ports[0] ?? 0, false);
    policy.handleReturn(0, left, false);
    for (let i = 0; i < 50; i++) policy.handleReturn(0, left, true);
    expect(new Set(takes(policy, 8))).toEqual(new Set([left]));
  });

  test('uses an entropy again when a probe over it has come back', () => {
    const policy = mrc();
    const [good = 0, lost = 0, ...others] = takes(policy, 128);
    policy.handleReturn(0, good, false);
    policy.handleLoss(0, MSS);
    policy.retired.restore(lost);
    expect(takes(policy, 128, 128)).toEqual([good, lost, ...others]);
  });

  describe('that knows the paths of its entropies', () => {
    const PATHS = 4;
    const pathOf = (port: number): number => port % PATHS;
    const sharesOf = (ports: readonly number[]): number[] =>
      Array.from(
        { length: PATHS },
        (_, path) => ports.filter((port) => pathOf(port) === path).length,
      );

    test('retires all of a path with the first one that loses a segment', () => {
      const policy = mrc(4096, pathOf);
      const ports = takes(policy, 128);
      expect(sharesOf(ports)).toEqual([32, 32, 32, 32]);
      for (const port of ports.slice(0, 16)) policy.handleReturn(0, port, false);
      policy.handleLoss(0, 17 * MSS);
      const failed = pathOf(ports[17] ?? 0);
      for (const first of [128, 256]) {
        expect(sharesOf(takes(policy, 128, first))[failed]).toBe(0);
        // More losses there are no news, and what comes back late from there is no proof.
        policy.handleLoss(0, 21 * MSS);
        policy.handleReturn(0, ports[13] ?? 0, false);
      }
      // Nor does congestion lead there.
      for (const port of takes(policy, 128, 384)) policy.handleReturn(0, port, true);
      expect(sharesOf(takes(policy, 128, 512))[failed]).toBe(0);
    });

    test('asks by one probe, and uses the path again as much as before', () => {
      const policy = mrc(4096, pathOf);
      const ports = takes(policy, 128);
      for (const port of ports.slice(0, 16)) policy.handleReturn(0, port, false);
      policy.handleLoss(0, 17 * MSS);
      policy.handleLoss(0, 21 * MSS);
      const asked = policy.retired.takeProbe(0);
      expect(asked).toBe(ports[17]);
      expect(policy.retired.probeAt).toBeGreaterThanOrEqual(T);
      policy.retired.restore(asked);
      const failed = pathOf(asked);
      expect(sharesOf(takes(policy, 128, 128))[failed]).toBe(32);
    });

    test('of more failed paths than are remembered takes the first for whole again', () => {
      const policy = mrc(4096, (port) => port);
      const [first = 0] = takes(policy, 128);
      policy.handleLoss(0, 0);
      for (let at = 128, lost = 0; lost < 1024; lost++, at++) {
        takes(policy, 1, at);
        policy.handleLoss(0, at * MSS);
      }
      policy.handleReturn(0, first, false);
      takes(policy, 1, 5000);
      policy.handleLoss(0, 5000 * MSS);
      expect(takes(policy, 128, 5001)).toContain(first);
    });
  });

  test('knows nothing of segments that it has not sent', () => {
    const policy = mrc();
    policy.handleLoss(0, 0);
    expect(policy.retired.probeAt).toBe(Infinity);
  });
});

describe('retired source ports', () => {
  const ignored = (): void => undefined;
  test('are asked about at once, and ever later while nothing is answered', () => {
    const retired = new RetiredPorts(T, ignored);
    expect(retired.probeAt).toBe(Infinity);
    retired.add(100, 7);
    const times: number[] = [];
    for (let now = retired.probeAt; times.length < 10; now = retired.probeAt) {
      times.push(now);
      expect(retired.takeProbe(now)).toBe(7);
    }
    const pauses = times.slice(1).map((at, i) => (at - (times[i] as number)) / T);
    expect(times[0]).toBe(100);
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 256]);
  });

  test('come back when a probe is answered', () => {
    const retired = new RetiredPorts(T, ignored);
    for (const port of [1, 2]) retired.add(0, port);
    retired.restore(1);
    expect([retired.has(1), retired.has(2)]).toEqual([false, true]);
    retired.restore(2);
    expect(retired.probeAt).toBe(Infinity);
  });

  test('are asked about one after the other, sixteen in a round trip', () => {
    const retired = new RetiredPorts(T, ignored);
    for (let port = 0; port < 40; port++) retired.add(0, port);
    let asked = 0;
    for (; retired.probeAt < T; asked++) retired.takeProbe(retired.probeAt);
    expect(asked).toBe(16);
  });

  test('are forgotten when there are too many, the first ones first', () => {
    const retired = new RetiredPorts(T, ignored);
    for (let port = 0; port < 1030; port++) retired.add(0, port);
    expect([retired.has(5), retired.has(6), retired.has(1029)]).toEqual([false, true, true]);
  });
});
