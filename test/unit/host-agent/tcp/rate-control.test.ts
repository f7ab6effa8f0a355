import type { HopRecord } from '../../../../common/hop/hop';
import { milliseconds } from '../../../../common/units/units';
import type { Duration } from '../../../../common/units/units';
import type {
  Acknowledgement,
  AckKind,
  CongestionControl,
} from '../../../../host-agent/algorithm/congestion-control';
import { RateControl } from '../../../../host-agent/tcp/rate-control';
import type { RateSample } from '../../../../host-agent/tcp/rate-control';
import type { TcpSettings } from '../../../../host-agent/tcp/tcp-settings';

const CAPACITY = 100e6;
const T: Duration = milliseconds(10);
/** 32 full frames at 100 Mb/s. */
const SAMPLE_MS = 3.87584;

/** Congestion control that does as it is told, and remembers what it was shown. */
class ToldControl {
  windowBytes = 125_000;
  kind: AckKind = 'update';
  readonly acks: Acknowledgement[] = [];
  restartedAt = -1;

  onAck(ack: Acknowledgement): AckKind {
    this.acks.push(ack);
    return this.kind;
  }

  onIdleRestart(now: number): void {
    this.restartedAt = now;
  }
}

function makeControl(
  changed: Partial<TcpSettings> = {},
  path = { capacity: CAPACITY, baseRtt: 1 },
) {
  const told = new ToldControl();
  const environments: unknown[] = [];
  const settings: TcpSettings = {
    linkRate: 1e9,
    baseRtt: T,
    hopLimit: 8,
    ports: new Set<number>(),
    rewritesWindows: false,
    connectionsMax: 1,
    firstProbeId: 0,
    control: (environment) => {
      environments.push(environment);
      return told as unknown as CongestionControl;
    },
    ...changed,
  };
  return { rates: new RateControl(settings, path), told, environments };
}

const hop = (queueBytes: number, capacity = CAPACITY): HopRecord => ({
  switchId: 1,
  portId: 1,
  queueId: 0,
  queueBytes,
  capacity,
  timestamp: 0,
  timestampModulus: 2 ** 48,
  txBytes: 0,
  txBytesModulus: 2 ** 48,
});

const sample = (hops: readonly HopRecord[], changed: Partial<RateSample> = {}): RateSample => ({
  hops,
  isIncomplete: false,
  endsRound: true,
  acknowledgedBytes: 5000,
  rtt: T,
  ...changed,
});

describe('what a probe has brought', () => {
  test('is told to congestion control unchanged', () => {
    const { rates, told } = makeControl();
    rates.onSample(7, sample([hop(10)], { endsRound: false }));
    rates.onSample(8, sample([hop(9000)], { endsRound: false, isIncomplete: true }));
    expect(told.acks).toEqual([
      {
        now: 7,
        telemetry: [hop(10)],
        isIncomplete: false,
        endsRound: false,
        ackSequence: 5000,
        nextSequence: 5000,
      },
      expect.objectContaining({ now: 8, telemetry: [hop(9000)], isIncomplete: true }),
    ]);
  });
});

describe('the rate of a connection', () => {
  test('is of the slower one of path and own link, with T as it is given', () => {
    const fast = makeControl({ linkRate: 50e6 });
    expect(fast.environments).toEqual([{ linkRate: 50e6, baseRtt: T }]);
    expect(makeControl().environments).toEqual([{ linkRate: CAPACITY, baseRtt: T }]);
  });

  test.each([
    ['what was measured', 7, 7],
    ['at least the time of a sample', 1, SAMPLE_MS],
  ])('comes from a T that is %s', (_title, measuredMs, usedMs) => {
    const path = { capacity: CAPACITY, baseRtt: milliseconds(measuredMs) };
    expect(makeControl({ baseRtt: undefined }, path).rates.baseRtt).toBe(milliseconds(usedMs));
  });

  test('is W / T once it is measured, however long the round trip is', () => {
    const { rates, told } = makeControl();
    expect(rates.rate).toBe(100e6);
    told.windowBytes = 62_500;
    rates.onSample(0, sample([hop(0)], { rtt: 5 * T }));
    expect([rates.rate, rates.windowBytes]).toEqual([50e6, 62_500]);
  });

  test('is W / RTT before that, less what processes may wait for their turn', () => {
    const { rates, told } = makeControl();
    told.kind = 'fast';
    rates.onSample(0, sample([hop(0)], { rtt: milliseconds(20 + SAMPLE_MS) }));
    expect(rates.rate).toBeCloseTo(50e6, 0);
    expect(rates.windowBytes).toBe(125_000);
    rates.onSilence(milliseconds(40 + SAMPLE_MS));
    expect(rates.rate).toBeCloseTo(25e6, 0);
    // Silence never makes a connection faster.
    rates.onSilence(0);
    expect(rates.rate).toBeCloseTo(25e6, 0);
  });

  test('keeps its window between rounds', () => {
    const { rates, told } = makeControl();
    told.kind = 'fast';
    told.windowBytes = 1000;
    rates.onSample(0, sample([hop(0)], { endsRound: false, rtt: 0 }));
    expect(rates.windowBytes).toBe(125_000);
  });

  test('is never below a two-hundredth of the slowest link', () => {
    const { rates, told } = makeControl();
    told.windowBytes = 1;
    rates.onSample(0, sample([hop(0)]));
    expect(rates.rate).toBe(500e3);
  });

  test('is measured over 32 frames, over 8 at first, and over 4 T at most', () => {
    const { rates, told } = makeControl();
    expect(rates.gap).toBe(milliseconds(SAMPLE_MS / 4));
    rates.onSample(0, sample([hop(0)]));
    expect(rates.gap).toBe(milliseconds(SAMPLE_MS));
    told.windowBytes = 1;
    rates.onSample(1, sample([hop(0)]));
    expect(rates.gap).toBe(4 * T);
  });

  test('suits a path whose slowest link, or whose own link, is the one that it was made for', () => {
    const { rates } = makeControl();
    expect(rates.suits([hop(0), hop(0, 1e9)], 1e9)).toBe(true);
    expect(rates.suits([hop(0, 1e9)], CAPACITY)).toBe(true);
    expect(rates.suits([hop(0, 50e6)], 1e9)).toBe(false);
    expect(rates.suits([hop(0, 200e6)], 1e9)).toBe(false);
  });

  test('forgets the path after silence', () => {
    const { rates, told } = makeControl();
    rates.onIdleRestart(77);
    expect(told.restartedAt).toBe(77);
  });
});
