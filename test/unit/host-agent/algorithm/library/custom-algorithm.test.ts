import { customAlgorithm } from '../../../../../host-agent/algorithm/library/custom-algorithm';
import type { CongestionControl } from '../../../../../host-agent/algorithm/congestion-control';
import { acknowledgement } from '../../../../support/telemetry';

const link = { linkRate: 100e9, baseRtt: 4_000_000, segmentBytes: 1000 };
const fixed = { windowBytes: 50_000, pacingRate: 50e9, onAck: () => undefined };
const FILE = './mine.mjs';
const load = (exported: Record<string, unknown>) => customAlgorithm(FILE, exported);
const started = (own: object, tuning = {}): CongestionControl =>
  load({ create: () => own }).factory(tuning)(link);
const ack = acknowledgement({ telemetry: [], ackSequence: 1000, now: 7 });
const loss = { kind: 'gap', sequence: 0, nextSequence: 1, now: 8 } as const;

/** Each call with what it is called with. */
const CALLS: readonly (readonly [string, unknown, (control: CongestionControl) => unknown])[] = [
  ['onAck', ack, (control) => control.onAck(ack)],
  ['onLoss', loss, (control) => control.onLoss?.(loss)],
  ['onCongestionNotification', 9, (control) => control.onCongestionNotification?.(9)],
  ['onIdleRestart', 10, (control) => control.onIdleRestart(10)],
  ['onBaseRtt', 11, (control) => control.onBaseRtt?.(11)],
  ['onWakeup', 12, (control) => control.onWakeup?.(12)],
];

describe('the calls of a flow', () => {
  test.each(CALLS)('%s reaches the file, and changes window and rate', (name, given, call) => {
    const heard: unknown[] = [];
    const own = {
      ...fixed,
      [name](what: unknown) {
        heard.push(what, this === own);
        own.windowBytes = 60_000;
        own.pacingRate = 200e9;
      },
    };
    const control = started(own);
    expect([control.windowBytes, control.pacingRate]).toEqual([50_000, 50e9]);
    call(control);
    expect(heard).toEqual([given, true]);
    // No flow is paced faster than its link.
    expect([control.windowBytes, control.pacingRate]).toEqual([60_000, 100e9]);
  });

  test.each(CALLS)('%s that throws is named', (name, _given, call) => {
    const fail = () => {
      throw new Error('out of cheese');
    };
    const control = started({ ...fixed, [name]: fail });
    expect(() => call(control)).toThrow(`${FILE}: ${name} threw: out of cheese`);
  });

  test.each(CALLS)('%s that leaves no window is named', (name, _given, call) => {
    const own = { ...fixed, [name]: () => void (own.windowBytes = 0) };
    const control = started(own);
    const said = `${FILE}: ${name} left windowBytes at 0; it must be a finite number above 0`;
    expect(() => call(control)).toThrow(said);
  });

  test.each(CALLS.slice(1))('%s need not be there', (_name, _given, call) => {
    const control = started(fixed);
    call(control);
    expect(control.windowBytes).toBe(50_000);
  });

  test('every acknowledgement counts as a change', () => {
    const control = started(fixed);
    expect(control.onAck(ack)).toBe('update');
    expect(control.metrics().commits).toBe(1);
  });

  test('a wake-up must be over once it has come', () => {
    const control = started({ ...fixed, wakeupAt: 12 });
    expect(control.wakeupAt).toBe(12);
    expect(() => control.onWakeup?.(12)).toThrow(`${FILE}: onWakeup must move wakeupAt behind 12`);
    expect(() => control.onWakeup?.(11)).not.toThrow();
    expect(started(fixed).wakeupAt).toBe(Infinity);
  });

  test.each([NaN, '5', null])('a time to be woken is no %p', (at) => {
    const said = `${FILE}: wakeupAt must be a number of ps, found ${String(at)}`;
    if (at === null) expect(started({ ...fixed, wakeupAt: at }).wakeupAt).toBe(Infinity);
    else expect(() => started({ ...fixed, wakeupAt: at }).wakeupAt).toThrow(said);
  });
});

describe('what a file exports', () => {
  const create = () => fixed;

  test('is asked for the least, unless it says what it wants', () => {
    expect(load({ create })).toMatchObject({
      name: FILE,
      signals: { telemetry: 'hops', marks: false, timestamps: false },
      constants: {},
    });
    expect('marking' in load({ create })).toBe(false);
    const signals = { telemetry: 'digest', marks: true, timestamps: true };
    expect(load({ create, signals })).toMatchObject({
      signals,
      marking: { minBytes: 300_000, maxBytes: 300_000, maxProbability: 1 },
    });
    const none = { telemetry: 'none', marks: false, timestamps: true };
    expect(load({ create, signals: none }).signals).toEqual(none);
    const marking = { minBytes: 0, maxBytes: 0xffff_ffff, maxProbability: 0 };
    expect(load({ create, signals, marking }).marking).toEqual(marking);
  });

  test('is given the link, and its constants, some of them changed', () => {
    const heard: unknown[] = [];
    const made = load({
      create: (...given: unknown[]) => {
        heard.push(...given);
        return fixed;
      },
      constants: { gain: 0.5, floor: 0 },
    });
    made.factory({ constants: { gain: 0.25 } })(link);
    expect(heard).toEqual([link, { gain: 0.25, floor: 0 }]);
    expect(() => made.factory({ constants: { gian: 1 } })).toThrow(
      `${FILE} has no constant 'gian'; it has: gain, floor`,
    );
  });

  test.each([
    [undefined, 'found nothing'],
    [5, 'found number'],
    [null, 'found object'],
  ])('create must return an object, not %p', (own, said) => {
    expect(() => load({ create: () => own }).factory({})(link)).toThrow(
      `${FILE}: create must return an object, ${said}`,
    );
  });

  const whole =
    'wanted marking as { minBytes, maxBytes, maxProbability }: whole bytes in this order';
  test.each([
    [{ signals: { telemetry: 'digest', timestamps: 1 } }, 'true or false'],
    [{ signals: { marks: 'yes' } }, 'true or false'],
    [{ constants: { gain: Infinity } }, 'wanted constants.gain as a number, found Infinity'],
    [{ constants: { gain: '1' } }, 'wanted constants.gain as a number, found 1'],
    [{ marking: 5 }, 'wanted marking as an object, found number'],
    [{ marking: { minBytes: 1.5, maxBytes: 2, maxProbability: 1 } }, whole],
    [{ marking: { minBytes: -1, maxBytes: 2, maxProbability: 1 } }, whole],
    [{ marking: { minBytes: 1, maxBytes: 2 ** 32, maxProbability: 1 } }, whole],
    [{ marking: { minBytes: 1, maxBytes: '2', maxProbability: 1 } }, whole],
    [{ marking: { minBytes: 3, maxBytes: 2, maxProbability: 1 } }, whole],
    [{ marking: { minBytes: 1, maxBytes: 2, maxProbability: 1.1 } }, whole],
    [{ marking: { minBytes: 1, maxBytes: 2, maxProbability: -0.1 } }, whole],
    [{ marking: { minBytes: 1, maxBytes: 2 } }, `${whole}, and a share from 0 to 1`],
  ])('%j is refused', (more, said) => {
    expect(() => load({ create, ...more })).toThrow(said);
  });
});
