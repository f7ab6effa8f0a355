import type { HopRecord } from '../../../../common/hop/hop';
import type { PathSelectionOptions } from '../../../../host-agent/path/path-selector';
import { checkPathSelection, PathSelector } from '../../../../host-agent/path/path-selector';
import { hopRecord } from '../../../support/telemetry';

const T = 4_000_000;
const T_NS = 4000;
const LINK_RATE = 100e9;
const OWN: readonly HopRecord[] = [1, 10].map((switchId) => hopRecord({ switchId }));

/** A flow whose path is loaded, and paths beside it whose links are loaded as given. */
function rig(loads: readonly number[], given: Partial<PathSelectionOptions> = {}) {
  const plan = checkPathSelection({ paths: loads.length + 1, ...given });
  const environment = { linkRate: LINK_RATE, baseRtt: T, maxHops: 8, flow: 0 };
  const selector = new PathSelector(0, plan, environment);
  selector.noteOwnPath(0, OWN);
  const probed: number[] = [];
  /** Probes are answered at once; the flow is asked once per base RTT. */
  const run = (from: number, to: number, own: { readonly U: number; readonly rate: number }) => {
    for (let rtt = from; rtt < to; rtt++) {
      const now = rtt * T;
      if (selector.probeAt <= now) {
        const { path, id } = selector.takeProbe(now);
        probed.push(path);
        const load = loads[path - 1] ?? 0;
        const ns = rtt * T_NS;
        const hop = { timestamp: ns, txBytes: ns * 12.5 * load };
        // The first link is on every path, and full of the flow itself.
        const first = hopRecord({ switchId: 1, timestamp: ns, txBytes: ns * 12.5 * 0.48 });
        const telemetry = [first, hopRecord({ switchId: 10 + path, ...hop })];
        selector.handleResponse(now, id, { kind: 'links', telemetry, isIncomplete: false });
      }
      const path = selector.decide(now, own);
      if (path !== undefined) return { rtt, path };
    }
    return undefined;
  };
  return { selector, run, probed };
}

const half = { U: 0.95, rate: 48e9 };

describe('the choice of a path', () => {
  it('probes the other paths in turn', () => {
    const { run, probed } = rig([1, 1, 1]);
    run(0, 16, half);
    expect(probed.slice(0, 6)).toEqual([1, 2, 3, 1, 2, 3]);
  });

  it('moves to the lightest path once its own has been loaded for a while', () => {
    const { run } = rig([0.9, 0.1, 0.3]);
    expect(run(0, 100, half)).toEqual({ rtt: 8, path: 2 });
  });

  it('stays where it is alone: another path promises nothing more', () => {
    const { run } = rig([0, 0]);
    expect(run(0, 200, { U: 0.95, rate: 95e9 })).toBeUndefined();
  });

  it('stays when the others have less to spare than it has, or hardly more', () => {
    expect(rig([0.6]).run(0, 200, half)).toBeUndefined();
    expect(rig([0.4]).run(0, 200, half)).toBeUndefined();
    expect(rig([0.3]).run(0, 200, half)).toBeDefined();
  });

  it('stays while its own path is not loaded, and starts to wait anew when it is', () => {
    const { run } = rig([0]);
    expect(run(0, 40, { U: 0.5, rate: 48e9 })).toBeUndefined();
    expect(run(40, 100, half)).toEqual({ rtt: 48, path: 1 });
  });

  it('does not wait anew when its path is less loaded for a moment, as when another flow left', () => {
    const { run } = rig([0]);
    expect(run(0, 6, half)).toBeUndefined();
    expect(run(6, 10, { U: 0.6, rate: 48e9 })).toBeUndefined();
    expect(run(10, 100, half)).toEqual({ rtt: 10, path: 1 });
  });

  it('holds a path that it has moved to', () => {
    const { selector, run } = rig([0, 0]);
    const moved = run(0, 100, half);
    selector.onMoved((moved?.rtt ?? 0) * T, moved?.path ?? 0);
    expect(selector.current).toBe(1);
    expect(selector.moves).toBe(1);
    expect(run(9, 8 + 64, half)).toBeUndefined();
    // Both others are free; which one it takes is drawn.
    expect([0, 2]).toContain(run(8 + 64, 8 + 2 * 64, half)?.path);
  });

  it('spreads the decisions of flows that start together', () => {
    const plan = checkPathSelection({ paths: 2 });
    const decided = [0, 1, 7].map((flow) => {
      const environment = { linkRate: LINK_RATE, baseRtt: T, maxHops: 8, flow };
      const selector = new PathSelector(0, plan, environment);
      for (let rtt = 0; rtt < 100; rtt++) {
        const now = rtt * T;
        const { id } = selector.takeProbe(now);
        const telemetry = [hopRecord({ switchId: 11, timestamp: rtt * T_NS })];
        selector.handleResponse(now, id, { kind: 'links', telemetry, isIncomplete: false });
        if (selector.decide(now, half) !== undefined) return rtt;
      }
      return undefined;
    });
    expect(new Set(decided).size).toBe(3);
    for (const rtt of decided) expect(rtt).toBeGreaterThanOrEqual(8);
    for (const rtt of decided) expect(rtt).toBeLessThanOrEqual(4 * 8);
  });

  it('ignores answers that it has not asked for, and measurements that are old', () => {
    const { selector, run } = rig([0]);
    const telemetry = [hopRecord({ switchId: 11 })];
    selector.handleResponse(0, 2 ** 50, { kind: 'links', telemetry, isIncomplete: false });
    selector.handleResponse(0, 2 ** 40, undefined);
    run(0, 10, half);
    expect(selector.decide(1000 * T, half)).toBeUndefined();
  });

  it.each([
    [{ paths: 1 }, 'paths must be an integer at least 2'],
    [{ paths: 65 }, 'at most 64'],
    [{ paths: 2, probeRtts: 0 }, 'probeRtts must be'],
    [{ paths: 2, margin: -1 }, 'margin must be'],
  ])('refuses %j', (options, message) => {
    expect(() => checkPathSelection(options)).toThrow(message);
  });
});
