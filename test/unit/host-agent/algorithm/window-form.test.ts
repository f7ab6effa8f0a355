import type { CongestionEvent } from '../../../../host-agent/algorithm/congestion-control';
import type { HpccppWindowOptions } from '../../../../host-agent/algorithm/window-form';
import { hpccppFactory, HpccppWindow } from '../../../../host-agent/algorithm/window-form';
import { InputError } from '../../../../common/errors';
import { acknowledgement, hopRecord } from '../../../support/telemetry';
import { proves } from '../../../support/evidence';

const VALID: HpccppWindowOptions = { linkRate: 100e9, baseRtt: 4_160_000 };

describe('events of HPCC++', () => {
  const listened = () => {
    const events: CongestionEvent[] = [];
    const control = new HpccppWindow({ ...VALID, sink: (event) => void events.push(event) });
    return { control, kinds: () => events.splice(0).map(({ kind }) => kind) };
  };

  it('tell of acknowledgements, of reports of load alike, and of the windows they change', () => {
    const { control, kinds } = listened();
    control.onAck(acknowledgement({ telemetry: [hopRecord()] }));
    expect(kinds()).toEqual(['ack-processed']);
    const later = hopRecord({ timestamp: 4160, txBytes: 104_000 });
    control.onAck(acknowledgement({ telemetry: [later] }));
    expect(kinds()).toEqual(['ack-processed', 'window-updated']);
    const report = { ackSequence: 0, nextSequence: 0, now: 0, ratio: 3, intervalNs: 4160 };
    control.onLoad(report);
    expect(kinds()).toEqual(['ack-processed', 'window-updated']);
  });
});

describe('the queue of an interval', () => {
  // 104,000 bytes are two bandwidth-delay products, and half of them one.
  it.each([
    ['smaller', Infinity, 1],
    ['latest', 0, 2],
  ] as const)('is the %s of both ends as it is told', (_which, latestQueueFrom, inflight) => {
    const control = new HpccppWindow({ ...VALID, latestQueueFrom });
    control.onAck(acknowledgement({ telemetry: [hopRecord({ queueBytes: 52_000 })] }));
    const telemetry = [hopRecord({ timestamp: 4160, queueBytes: 104_000 })];
    control.onAck(acknowledgement({ telemetry }));
    expect(control.metrics().normalizedInflight).toBe(inflight);
  });
});

describe('parameters of HPCC++', () => {
  proves({ cases: ['line-rate-start'] })(
    'start a flow at line rate with the bandwidth-delay product of the sender as window',
    () => {
      const control = new HpccppWindow(VALID);
      expect(control.windowBytes).toBe(52_000);
      expect(control.pacingRate).toBe(100e9);
    },
  );

  it.each([
    [4_160_001, 52_012.5],
    [4_159_001, 52_000],
  ])('round the base RTT of %d ps up to whole ns', (baseRtt, window) => {
    expect(new HpccppWindow({ ...VALID, baseRtt }).windowBytes).toBe(window);
  });

  // W_ai = 52,000 * (1 - 0.95) / N: 26 bytes for 100 flows, 2.6 for 1000.
  it.each([
    [undefined, 26],
    [100, 26],
    [1000, 2.6],
    [1, 2600],
  ])('derive the additive increase from %p expected flows', (expectedFlows, step) => {
    const control = new HpccppWindow({
      ...VALID,
      ...(expectedFlows !== undefined && { expectedFlows }),
    });
    const hop = hopRecord();
    control.onAck(acknowledgement({ telemetry: [hop] }));
    control.onAck(acknowledgement({ telemetry: [{ ...hop, timestamp: 4160, txBytes: 104_000 }] }));
    // U = 2 divides the window by 2 / 0.95 and adds the step.
    expect(control.windowBytes).toBeCloseTo((52_000 * 0.95) / 2 + step, 6);
  });

  it('take the additive increase as a share of the initial window', () => {
    const control = new HpccppWindow({ ...VALID, additiveShare: 0.05, expectedFlows: 1 });
    const hop = hopRecord();
    control.onAck(acknowledgement({ telemetry: [hop] }));
    control.onAck(acknowledgement({ telemetry: [{ ...hop, timestamp: 4160, txBytes: 104_000 }] }));
    expect(control.windowBytes).toBeCloseTo((52_000 * 0.95) / 2 + 2600, 6);
  });

  it('have a thousandth of the initial window as lower bound by default', () => {
    const control = new HpccppWindow({ ...VALID, additiveIncreaseBytes: 1 });
    const hop = hopRecord({ queueBytes: 1e12 });
    control.onAck(acknowledgement({ telemetry: [hop] }));
    control.onAck(acknowledgement({ telemetry: [{ ...hop, timestamp: 4160 }] }));
    expect(control.windowBytes).toBe(52);
  });

  it('follow a T that is measured: bytes change, rates and U do not', () => {
    const after = (T: number) => {
      const control = new HpccppWindow(VALID);
      const hop = hopRecord();
      control.onAck(acknowledgement({ telemetry: [hop] }));
      control.onAck(
        acknowledgement({ telemetry: [{ ...hop, timestamp: 4160, txBytes: 104_000 }] }),
      );
      control.onBaseRtt(T);
      return control.metrics();
    };
    const [before, longer] = [after(4_160_000), after(8_320_000)];
    expect(before.windowBytes).toBeCloseTo((52_000 * 0.95) / 2 + 26, 6);
    expect(longer.windowBytes).toBeCloseTo(2 * before.windowBytes, 6);
    expect(longer.referenceWindowBytes).toBeCloseTo(2 * before.referenceWindowBytes, 6);
    expect(longer.pacingRate).toBeCloseTo(before.pacingRate, 3);
    expect(longer.normalizedInflight).toBe(before.normalizedInflight);
  });

  it('follow it in the reference window and in what a queue is relative to', () => {
    const control = new HpccppWindow(VALID);
    const round = (ns: number, queueBytes: number) => {
      const telemetry = [hopRecord({ timestamp: ns, queueBytes })];
      control.onAck(acknowledgement({ telemetry, endsRound: true, now: ns * 1000 }));
    };
    round(0, 104_000);
    round(4160, 104_000);
    // A queue of two bandwidth-delay products.
    expect(control.metrics().normalizedInflight).toBe(2);
    const { referenceWindowBytes } = control.metrics();
    expect(referenceWindowBytes).toBeLessThan(26_000);
    control.onBaseRtt(8_320_000);
    expect(control.metrics().referenceWindowBytes).toBeCloseTo(2 * referenceWindowBytes, 6);
    round(4160 + 8320, 104_000);
    // The same queue is one of those of twice the T.
    expect(control.metrics().normalizedInflight).toBe(1);
  });

  it('bound the window by the measured T from then on', () => {
    const control = new HpccppWindow(VALID);
    control.onBaseRtt(2_080_000);
    expect(control.windowBytes).toBe(26_000);
    const hop = hopRecord({ queueBytes: 1e12 });
    control.onAck(acknowledgement({ telemetry: [hop] }));
    control.onAck(acknowledgement({ telemetry: [{ ...hop, timestamp: 2080 }] }));
    expect(control.windowBytes).toBe(26);
  });

  const ABOVE_0 = 'a number above 0';
  const COUNT = `an integer at least 0 and at most ${Number.MAX_SAFE_INTEGER}`;
  const refused: readonly (readonly [string, number, string])[] = [
    ['linkRate', 0, ABOVE_0],
    ['linkRate', Number.NaN, ABOVE_0],
    ['linkRate', Infinity, ABOVE_0],
    ['baseRtt', 0, ABOVE_0],
    ['baseRtt', -1, ABOVE_0],
    ['targetUtilization', 0, `${ABOVE_0} and at most 1`],
    ['targetUtilization', 1.01, `${ABOVE_0} and at most 1`],
    ['maxStage', -1, COUNT],
    ['maxStage', 2.5, COUNT],
    ['maxHops', 0, 'an integer at least 1 and at most 255'],
    ['additiveIncreaseBytes', 0, `${ABOVE_0} and at most 52000`],
    ['additiveIncreaseBytes', -3, `${ABOVE_0} and at most 52000`],
    ['additiveIncreaseBytes', 52_001, `${ABOVE_0} and at most 52000`],
    ['expectedFlows', 0, `a number at least 1 and at most ${Number.MAX_SAFE_INTEGER}`],
    ['additiveShare', 0, `${ABOVE_0} and at most 1`],
    ['additiveShare', 1.5, `${ABOVE_0} and at most 1`],
    ['sampleWeight', 0, `${ABOVE_0} and at most 1`],
    ['windowBytesMin', 0, `${ABOVE_0} and at most 52000`],
    ['windowBytesMin', 52_001, `${ABOVE_0} and at most 52000`],
  ];
  it.each(refused)('are refused by name, with what they may be: %s of %d', (name, value, range) => {
    const build = (): HpccppWindow => new HpccppWindow({ ...VALID, [name]: value });
    expect(build).toThrow(InputError);
    expect(build).toThrow(new Error(`${name} must be ${range}, got ${value}`));
  });

  it('need an additive increase when the target leaves no headroom', () => {
    expect(() => new HpccppWindow({ ...VALID, targetUtilization: 1 })).toThrow(
      /^additiveIncreaseBytes must be given/,
    );
    const options = { ...VALID, targetUtilization: 1, additiveIncreaseBytes: 5 };
    expect(new HpccppWindow(options).windowBytes).toBe(52_000);
  });

  it('are combined by the factory from tuning and environment', () => {
    const control = hpccppFactory({ targetUtilization: 0.9 })({ linkRate: 25e9, baseRtt: 8e6 });
    expect(control.windowBytes).toBe(25_000);
  });
});
