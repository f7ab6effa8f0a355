import { checkBalancing, newEntropySource } from '../../../../../host-agent/path/entropy/balancing';
import type { BalancingOptions } from '../../../../../host-agent/path/entropy/balancing';
import { isCongestedReturn } from '../../../../../host-agent/path/entropy/congested-return';
import type { EntropySource } from '../../../../../host-agent/path/entropy/entropy-source';
import type { HopRecord } from '../../../../../common/hop/hop';

/** 8 us at 100 Gb/s: a hundred packets of 1000 bytes. */
const FLOW = { linkRate: 100e9, baseRtt: 8_000_000, mss: 1000, inFlightMax: 4096 };
const PACKETS_IN_BDP = 100;

const portOf = (entropy: number): number => 50_000 + entropy;
const source = (options: BalancingOptions, name = 1): EntropySource =>
  newEntropySource(checkBalancing(options), { ...FLOW, name }, { portOf });
const takes = (from: EntropySource, count: number, now = 0): number[] =>
  Array.from({ length: count }, () => from.take(now));

describe('random spray', () => {
  test('uses all entropies about equally often, and no flow the order of another', () => {
    const ports = takes(source({ policy: 'random', entropies: 4 }), 4000);
    for (const entropy of [0, 1, 2, 3]) {
      const uses = ports.filter((port) => port === portOf(entropy)).length;
      expect(Math.abs(uses - 1000)).toBeLessThan(150);
    }
    const of = (name: number, seed: number) => takes(source({ policy: 'random', seed }, name), 20);
    expect(of(1, 1)).toEqual(of(1, 1));
    expect(of(1, 1)).not.toEqual(of(2, 1));
    expect(of(1, 1)).not.toEqual(of(1, 2));
  });
});

describe('round robin', () => {
  test('takes each entropy once in turn', () => {
    const ports = takes(source({ policy: 'round-robin', entropies: 8 }), 16);
    expect(new Set(ports.slice(0, 8)).size).toBe(8);
    expect(ports.slice(8)).toEqual(ports.slice(0, 8));
  });
});

describe('flowlets', () => {
  test('change their entropy after a pause of the gap, and only then', () => {
    const flowlets = source({ policy: 'flowlet', flowletGap: 1000 });
    let now = 0;
    const next = (pause: number): number => flowlets.take((now += pause));
    const first = next(0);
    for (let i = 0; i < 50; i++) expect(next(999)).toBe(first);
    const later = Array.from({ length: 20 }, () => next(1000));
    expect(new Set([first, ...later]).size).toBeGreaterThan(15);
  });

  test('have half a base RTT as their gap unless told', () => {
    const flowlets = source({ policy: 'flowlet' });
    const first = flowlets.take(0);
    expect(flowlets.take(FLOW.baseRtt / 2 - 1)).toBe(first);
    expect(flowlets.take(FLOW.baseRtt)).not.toBe(first);
  });
});

describe('REPS', () => {
  const exploring = (): EntropySource => {
    const reps = source({ policy: 'reps' });
    takes(reps, PACKETS_IN_BDP);
    return reps;
  };
  /** Ports that no draw gives. */
  const [a, b, c] = [1, 2, 3] as const;

  test('draws for one bandwidth-delay product, whatever comes back', () => {
    const reps = source({ policy: 'reps' });
    reps.handleReturn?.(0, a, false);
    expect(takes(reps, PACKETS_IN_BDP)).not.toContain(a);
    expect(reps.take(0)).toBe(a);
  });

  test('uses entropies that came back once more, the oldest first, and congested ones never', () => {
    const reps = exploring();
    reps.handleReturn?.(0, a, false);
    reps.handleReturn?.(0, b, true);
    reps.handleReturn?.(0, c, false);
    expect(takes(reps, 2)).toEqual([a, c]);
    const drawn = takes(reps, 50);
    for (const port of [a, b, c]) expect(drawn).not.toContain(port);
  });

  test('remembers the last eight', () => {
    const reps = exploring();
    const ports = Array.from({ length: 11 }, (_, i) => i + 1);
    for (const port of ports) reps.handleReturn?.(0, port, false);
    expect(takes(reps, 8)).toEqual(ports.slice(3));
    expect(reps.take(0)).toBeGreaterThanOrEqual(50_000);
  });

  test('after a timeout goes round what it remembers, until acknowledgements come again', () => {
    const reps = exploring();
    for (const port of [a, b, c]) reps.handleReturn?.(0, port, false);
    takes(reps, 3);
    reps.handleTimeout?.(0);
    const frozen = takes(reps, 30);
    expect(new Set(frozen)).toEqual(new Set([a, b, c]));
    reps.handleReturn?.(100 * FLOW.baseRtt, a, false);
    expect(takes(reps, PACKETS_IN_BDP)).not.toContain(a);
  });
});

describe('a return', () => {
  const hop = (queueBytes: number) => ({ queueBytes, capacity: 100e9 }) as HopRecord;
  const shown = (...hops: HopRecord[]) =>
    ({ kind: 'links', telemetry: hops, isIncomplete: false }) as never;

  test('is congested by a mark, or by a queue of a fifth of T on some link', () => {
    expect(isCongestedReturn(true, undefined, FLOW.baseRtt)).toBe(true);
    expect(isCongestedReturn(false, undefined, FLOW.baseRtt)).toBe(false);
    expect(isCongestedReturn(false, shown(hop(0), hop(19_999)), FLOW.baseRtt)).toBe(false);
    expect(isCongestedReturn(false, shown(hop(20_000), hop(0)), FLOW.baseRtt)).toBe(true);
  });
});

test('what is out of range is refused by name', () => {
  expect(() => checkBalancing({ policy: 'random', entropies: 1 })).toThrow('entropies must be');
  expect(() => checkBalancing({ policy: 'flowlet', flowletGap: 0 })).toThrow('flowletGap must be');
});
