import { newTelemetrySpacing } from '../../../../../host-agent/transport/sending/telemetry-spacing';
import type { SenderSettings } from '../../../../../host-agent/transport/sending/sender-options';

const SETTINGS: SenderSettings = {
  mss: 1000,
  headerLength: 74,
  expectedHops: 1,
  baseRtt: 4_000_000,
  retransmissionTimeout: 500_000_000,
};

/** Which of the first segments collect, each sent under the window that `windowOf` gives it. */
function collecting(
  settings: Partial<SenderSettings>,
  segments: number,
  windowOf: (segment: number) => number,
): number[] {
  const spacing = newTelemetrySpacing({ ...SETTINGS, ...settings });
  const all = Array.from({ length: segments }, (_, i) => i);
  return all.filter((i) => spacing.collects(i, windowOf(i)));
}

describe('which segments collect telemetry', () => {
  test('all, unless something is said', () => {
    expect(collecting({}, 4, () => 50_000)).toEqual([0, 1, 2, 3]);
  });

  test('one in k, the first one among them', () => {
    expect(collecting({ collectEvery: 3 }, 8, () => 50_000)).toEqual([0, 3, 6]);
  });

  test('none where probes do', () => {
    expect(collecting({ collectEvery: 0, samplesPerWindow: 4 }, 8, () => 50_000)).toEqual([]);
  });

  test('so many of a window, after two to begin with', () => {
    expect(collecting({ samplesPerWindow: 4 }, 40, () => 52_000)).toEqual([0, 1, 14, 27]);
  });

  test('every one of a window that has no more', () => {
    const all = Array.from({ length: 9 }, (_, i) => i);
    expect(collecting({ samplesPerWindow: 4 }, 9, () => 3200)).toEqual(all);
    expect(collecting({ samplesPerWindow: 4 }, 9, () => 40)).toEqual(all);
  });

  test('at once more when the window closes', () => {
    const windowOf = (segment: number): number => (segment < 6 ? 52_000 : 8000);
    expect(collecting({ samplesPerWindow: 4 }, 12, windowOf)).toEqual([0, 1, 6, 8, 10]);
  });
});
