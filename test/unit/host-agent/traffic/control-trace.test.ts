import type { HopRecord } from '../../../../common/hop/hop';
import { ControlTrace } from '../../../../host-agent/traffic/control-trace';
import type { ControlUpdate } from '../../../../host-agent/traffic/metered-control';
import { hopRecord } from '../../../support/telemetry';

const BASE_RTT = 1_000_000_000;
const BASE_RTT_NS = 1_000_000;

const update = (now: number, telemetry: readonly HopRecord[]): ControlUpdate => ({
  now,
  telemetry,
  windowBytes: 12_345.6,
  pacingRate: 98_765_432.1,
  normalizedInflight: 0.123_456_789,
  endsRound: true,
});

const trace = () => new ControlTrace(7, { origin: 1_700_000_000.5, baseRtt: BASE_RTT });
const text = (line: Uint8Array): string => Buffer.from(line).toString();
interface Parsed {
  readonly hops: readonly (readonly [number, number, number | null])[];
}
const parse = (line: Uint8Array): Parsed => JSON.parse(text(line)) as Parsed;

describe('a trace of a flow', () => {
  test('has one line of JSON per update, with Unix time and whole bytes', () => {
    const hops = [
      hopRecord({ switchId: 3, queueBytes: 100 }),
      hopRecord({ switchId: 4, queueBytes: 900 }),
    ];
    const line = trace().line(update(250_000_000_000, hops));
    expect(text(line).endsWith('}\n')).toBe(true);
    expect(parse(line)).toEqual({
      t: 1_700_000_000.75,
      flow: 7,
      windowBytes: 12_346,
      rateBps: 98_765_432,
      queueBytes: 900,
      hops: [
        [3, 100, null],
        [4, 900, null],
      ],
      normalizedInflight: 0.123_457,
      endsRound: true,
    });
  });

  test('tells the utilisation of a link over the last base RTT or more', () => {
    const flow = trace();
    const at = (ns: number, txBytes: number) =>
      hopRecord({ timestamp: ns, txBytes, capacity: 100e6 });
    const utilisation = (ns: number, txBytes: number) =>
      parse(flow.line(update(ns * 1000, [at(ns, txBytes)]))).hops[0]?.[2];
    expect(utilisation(0, 0)).toBeNull();
    // 6250 bytes in 1 ms are 50 Mb/s, half of the link; between them nothing new is told.
    expect(utilisation(BASE_RTT_NS / 2, 9999)).toBeNull();
    expect(utilisation(BASE_RTT_NS, 6250)).toBe(0.5);
    expect(utilisation(1.5 * BASE_RTT_NS, 99_999)).toBe(0.5);
    expect(utilisation(2 * BASE_RTT_NS, 6250 + 12_500)).toBe(1);
  });

  test('begins a link anew when the path has changed', () => {
    const flow = trace();
    const at = (ns: number, switchId: number) =>
      parse(flow.line(update(ns * 1000, [hopRecord({ switchId, timestamp: ns, txBytes: ns })])));
    at(0, 1);
    expect(at(BASE_RTT_NS, 1).hops[0]?.[2]).not.toBeNull();
    expect(at(2 * BASE_RTT_NS, 2).hops).toEqual([[2, 0, null]]);
  });

  test('knows no queue where the receiver hides the links', () => {
    expect(parse(trace().line(update(0, [])))).toMatchObject({ queueBytes: null, hops: [] });
  });
});
