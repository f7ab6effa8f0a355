import type { HopRecord } from '../../../../common/hop/hop';
import { microseconds } from '../../../../common/units/units';
import {
  ADMISSION_PROBES_FROM,
  checkAdmission,
  PathAdmission,
} from '../../../../host-agent/path/admission';

/** As instant and as duration. */
const T: number = microseconds(5);
const RATE = 100e9;

/** A link of which `load` was used until `us`, with nothing in its queue. */
const hopAt = (us: number, load: number): HopRecord => ({
  switchId: 1,
  portId: 1,
  queueBytes: 0,
  capacity: RATE,
  timestamp: us * 1000,
  timestampModulus: 2 ** 48,
  txBytes: (us * 1e-6 * RATE * load) / 8,
  txBytesModulus: 2 ** 48,
});

const sampleAt = (us: number, load: number) => ({
  kind: 'links' as const,
  isIncomplete: false,
  telemetry: [hopAt(us, load)],
});

const newAdmission = (given = {}, flow = 1): PathAdmission =>
  new PathAdmission(0, checkAdmission(given, T), {
    linkRate: RATE,
    baseRtt: T,
    maxHops: 8,
    flow,
  });

describe('a flow that waits for its path', () => {
  it('begins after the second answer of a path with room', () => {
    const admission = newAdmission();
    expect(admission.probeAt).toBe(0);
    const first = admission.takeProbe(0);
    expect(admission.handleResponse(T, first, sampleAt(5, 0.3))).toBe(false);
    const at = admission.probeAt;
    const second = admission.takeProbe(at);
    expect(admission.handleResponse(at + T, second, sampleAt(20, 0.3))).toBe(true);
  });

  it('goes on asking while the path is loaded, and begins at the first answer of less', () => {
    const admission = newAdmission({ loadBelow: 0.4 });
    let sent = 0;
    const answers = [0.9, 0.9, 0.41, 0.39].map((load, i) => {
      sent += load * 10;
      const us = 10 * (i + 1);
      const id = admission.takeProbe(admission.probeAt);
      return admission.handleResponse(1e6 * us, id, sampleAt(us, sent / us));
    });
    expect(answers).toEqual([false, false, false, true]);
  });

  it('takes the load of a receiver that hides its links', () => {
    const admission = newAdmission();
    const id = admission.takeProbe(0);
    const sample = { kind: 'load', ratio: 0.49, intervalNs: 5000 } as const;
    expect(admission.handleResponse(T, id, sample)).toBe(true);
  });

  it('is told nothing by an answer without telemetry', () => {
    const admission = newAdmission();
    expect(admission.handleResponse(T, admission.takeProbe(0), undefined)).toBe(false);
  });

  it.each([0.5, 0.9])('waits at a load of %d, which is not below 0.5', (ratio) => {
    const admission = newAdmission();
    const sample = { kind: 'load', ratio, intervalNs: 5000 } as const;
    expect(admission.handleResponse(T, admission.takeProbe(0), sample)).toBe(false);
  });

  it('asks again when no answer comes, ever more rarely', () => {
    const admission = newAdmission();
    const gaps = Array.from({ length: 9 }, () => {
      const at = admission.probeAt;
      admission.takeProbe(at);
      return (admission.probeAt - at) / T;
    });
    expect(gaps).toEqual([3, 6, 12, 24, 48, 96, 192, 192, 192]);
  });

  it('takes an answer once, and none that it has not asked for', () => {
    const admission = newAdmission();
    const id = admission.takeProbe(0);
    const light = { kind: 'load', ratio: 0, intervalNs: 5000 } as const;
    const heavy = { ...light, ratio: 1 };
    expect(admission.handleResponse(T, id + 1, light)).toBe(false);
    expect(admission.handleResponse(T, id, heavy)).toBe(false);
    expect(admission.handleResponse(T, id, light)).toBe(false);
    expect(id).toBe(ADMISSION_PROBES_FROM);
  });

  it('asks one to four T after an answer, each flow at another time', () => {
    const gaps = Array.from({ length: 200 }, (_, flow) => {
      const admission = newAdmission({}, flow);
      admission.handleResponse(T, admission.takeProbe(0), undefined);
      return (admission.probeAt - T) / T;
    });
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...gaps)).toBeLessThan(4);
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeGreaterThan(2.5);
    expect(new Set(gaps).size).toBe(200);
  });

  it('has waited for 1000 T unless told otherwise', () => {
    expect(newAdmission().deadline).toBe(1000 * T);
    expect(newAdmission({ within: 7 * T }).deadline).toBe(7 * T);
  });

  it.each([
    [{ loadBelow: 0 }, 'admission.loadBelow must be a number above 0 and at most 1, got 0'],
    [{ loadBelow: 1.1 }, 'admission.loadBelow must be a number above 0 and at most 1, got 1.1'],
    [{ within: 0 }, 'admission.within must be a number above 0'],
  ])('refuses %j', (options, message) => {
    expect(() => checkAdmission(options, T)).toThrow(message);
  });
});
