import { HpccppWindow } from '../../../../host-agent/algorithm/window-form';
import type { HpccppWindowOptions } from '../../../../host-agent/algorithm/window-form';
import { acknowledgement, hopRecord } from '../../../support/telemetry';

/** T = 4000 ns and 12.5 bytes/ns. */
const T = 4000;
const PS = 1000;
const BYTES_PER_NS = 12.5;
const OPTIONS: HpccppWindowOptions = { linkRate: 100e9, baseRtt: T * PS, expectedFlows: 1000 };

const newControl = (averagesLinks: boolean): HpccppWindow =>
  new HpccppWindow({ ...OPTIONS, averagesLinks });

/** U after packets that left the links, each at its times in ns; each link sends 1250 bytes a packet. */
function loadAfter(control: HpccppWindow, links: readonly (readonly number[])[]): number {
  const packets = links[0]?.length ?? 0;
  for (let i = 0; i < packets; i++) {
    const telemetry = links.map((times, portId) =>
      hopRecord({ portId, timestamp: times[i] ?? NaN, txBytes: 1250 * i }),
    );
    const sequences = { ackSequence: 1000 * i, nextSequence: 1000 * i + 50_000 };
    control.onAck(acknowledgement({ telemetry, ...sequences, now: 200 * PS * i }));
  }
  return control.metrics().normalizedInflight ?? NaN;
}

/** Pairs of packets at the speed of the link (100 ns), every 400 ns: half of its capacity. */
const pairs = (count: number, first: 0 | 1): number[] =>
  Array.from(
    { length: count },
    (_, i) => 400 * Math.floor((i + first) / 2) + ((i + first) % 2) * 100,
  );

describe('moving averages of links', () => {
  test('tell the load of links whose gaps fall on different packets', () => {
    const links = [pairs(400, 0), pairs(400, 1)];
    expect(loadAfter(newControl(true), links)).toBeCloseTo(0.5, 1);
    // Between any two acknowledgements one of the links was full.
    expect(loadAfter(newControl(false), links)).toBeCloseTo(1, 2);
  });

  test('are the average of the path where that has one link', () => {
    const [own, listing] = [newControl(true), newControl(false)];
    for (let count = 2; count < 60; count += 7) {
      const links = [pairs(count, 0)];
      expect(loadAfter(own, links)).toBe(loadAfter(listing, links));
    }
  });

  test('follow the bottleneck, also behind one that was fuller before', () => {
    const even = (count: number, spacing: number): number[] =>
      Array.from({ length: count }, (_, i) => spacing * i);
    expect(loadAfter(newControl(true), [even(400, 400), even(400, 125)])).toBeCloseTo(0.8, 2);
    expect(loadAfter(newControl(true), [even(400, 125), even(400, 400)])).toBeCloseTo(0.8, 2);
    // At first both are taken for full, and then each counts by its own time.
    const few = loadAfter(newControl(true), [even(11, 400), even(11, 200)]);
    expect(few).toBeCloseTo(0.5 + 0.5 * (1 - 200 / T) ** 10, 6);
  });

  test('are replaced by what took longer than T', () => {
    expect(
      loadAfter(newControl(true), [
        [0, 8000],
        [0, 16_000],
      ]),
    ).toBeCloseTo(1250 / (BYTES_PER_NS * 8000), 12);
  });

  test('are averaged over the paths of the packets, by the weight of a sample', () => {
    const even = (count: number, spacing: number): number[] =>
      Array.from({ length: count }, (_, i) => spacing * i);
    const own = (sampleWeight: number): HpccppWindow =>
      new HpccppWindow({ ...OPTIONS, averagesLinks: true, sampleWeight });
    // A path that is full and one that is idle half of the time, in turn.
    const loadBetween = (control: HpccppWindow): number[] =>
      even(400, 1).map((i) => {
        const portId = i % 2;
        const timestamp = (portId === 0 ? 100 : 200) * (i + 2);
        const telemetry = [hopRecord({ portId, timestamp, txBytes: 1250 * (i + 2) })];
        const sequences = { ackSequence: 1000 * i, nextSequence: 1000 * i + 50_000 };
        control.onAck(acknowledgement({ telemetry, ...sequences, now: 200 * PS * i }));
        return control.metrics().normalizedInflight ?? NaN;
      });
    const [high, low] = loadBetween(own(1)).slice(-2);
    expect([high, low].map((U) => U?.toFixed(1)).toSorted()).toEqual(['0.5', '1.0']);
    for (const U of loadBetween(own(0.1)).slice(-2)) expect(U).toBeCloseTo(0.75, 1);
  });

  test('stay where T is measured anew, and then follow in the new one', () => {
    const control = newControl(true);
    const even = Array.from({ length: 2000 }, (_, i) => 200 * i);
    loadAfter(control, [even]);
    control.onBaseRtt(2 * T * PS);
    const last = { timestamp: 200 * 1999, txBytes: 1250 * 1999 };
    const next = { timestamp: last.timestamp + 200, txBytes: last.txBytes + 2500 };
    const sequences = { ackSequence: 2_000_000, nextSequence: 2_050_000, now: 400 * PS * 1000 };
    control.onAck(
      acknowledgement({ telemetry: [hopRecord({ portId: 0, ...next })], ...sequences }),
    );
    const U = (0.5 * (2 * T - 200) + 1 * 200) / (2 * T);
    expect(control.metrics().normalizedInflight).toBeCloseTo(U, 6);
  });
});
