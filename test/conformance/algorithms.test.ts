import { algorithmNamed, ALGORITHMS } from '../../host-agent/algorithm/library/algorithms';
import { checkConformance } from '../../host-agent/algorithm/library/conformance';
import { customAlgorithm } from '../../host-agent/algorithm/library/custom-algorithm';

const problemsOf = (exported: Record<string, unknown>): readonly string[] =>
  checkConformance(customAlgorithm('./mine.mjs', exported)).flatMap(({ problem }) => problem ?? []);

const fixed = { windowBytes: 50_000, pacingRate: 50e9 };

describe('what every algorithm does', () => {
  test.each(ALGORITHMS)('%s', (name) => {
    const failed = checkConformance(algorithmNamed(name)).filter(({ problem }) => problem);
    expect(failed).toEqual([]);
  });

  test('the least that a file can export', () => {
    expect(problemsOf({ create: () => ({ ...fixed, onAck: () => undefined }) })).toEqual([]);
  });
});

describe('files that do it wrong are named with the call', () => {
  test('no create', () => {
    expect(() => customAlgorithm('./mine.mjs', {})).toThrow(
      "./mine.mjs: wanted an exported function 'create', found nothing",
    );
  });

  test.each([
    [{ telemetry: 'all' }, "wanted signals.telemetry 'hops', 'digest' or 'none', found all"],
    [{ marks: 1 }, 'wanted signals.marks and signals.timestamps true or false'],
    [{ timestamps: true }, "signals.timestamps needs signals.telemetry 'digest' or 'none'"],
    [null, 'wanted signals as an object, found null'],
    ['hops', 'wanted signals as an object, found string'],
  ])('signals %j', (signals, message) => {
    expect(() => customAlgorithm('./mine.mjs', { create: () => fixed, signals })).toThrow(message);
  });

  test.each([
    [{ constants: 5 }, 'wanted constants as an object, found number'],
    [{ constants: { gain: 'half' } }, 'wanted constants.gain as a number, found half'],
    [{ marking: { minBytes: 'a' } }, 'wanted marking as { minBytes, maxBytes, maxProbability }'],
    [
      { marking: { minBytes: 5, maxBytes: 4, maxProbability: 1 } },
      'whole bytes in this order, and a share from 0 to 1',
    ],
  ])('%j', (more, message) => {
    expect(() => customAlgorithm('./mine.mjs', { create: () => fixed, ...more })).toThrow(message);
  });

  test.each([
    ['nothing', () => undefined, 'create must return an object, found nothing'],
    ['no onAck', () => fixed, "create must return an object with a function 'onAck'"],
    [
      'a word for onLoss',
      () => ({ ...fixed, onAck: () => undefined, onLoss: 'halve' }),
      "create 'onLoss' must be a function, found string",
    ],
    [
      'no window',
      () => ({ pacingRate: 1, onAck: () => undefined }),
      'create left windowBytes at nothing; it must be a finite number above 0',
    ],
    [
      'a window that becomes negative',
      () => ({
        ...fixed,
        onAck() {
          (this as { windowBytes: number }).windowBytes -= 60_000;
        },
      }),
      'onAck left windowBytes at -10000; it must be a finite number above 0',
    ],
    [
      'a rate that is no number',
      () => ({
        ...fixed,
        onAck() {
          (this as { pacingRate: number }).pacingRate = NaN;
        },
      }),
      'onAck left pacingRate at NaN; it must be a finite number above 0',
    ],
    [
      'an error',
      () => ({
        ...fixed,
        onAck: () => {
          throw new Error('out of cheese');
        },
      }),
      'onAck threw: out of cheese',
    ],
    [
      'a window that cannot be read',
      () => ({
        pacingRate: 1,
        onAck: () => undefined,
        get windowBytes(): number {
          throw new Error('no window');
        },
      }),
      'windowBytes threw: no window',
    ],
    [
      'a clock that cannot be read',
      () => ({
        ...fixed,
        onAck: () => undefined,
        get wakeupAt(): number {
          throw new Error('no clock');
        },
      }),
      'wakeupAt threw: no clock',
    ],
    [
      'a call that goes on after its end',
      () => ({ ...fixed, onAck: () => Promise.reject(new Error('later')) }),
      'onAck must be done when it returns, and returned a promise',
    ],
    [
      'a wake-up that stays due',
      () => ({ ...fixed, onAck: () => undefined, wakeupAt: 1 }),
      'onWakeup must move wakeupAt behind',
    ],
  ])('%s', (_what, create, message) => {
    expect(problemsOf({ create })[0]).toContain(`./mine.mjs: ${message}`);
  });
});
