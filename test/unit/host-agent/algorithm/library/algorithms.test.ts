import { ALGORITHMS, algorithmNamed } from '../../../../../host-agent/algorithm/library/algorithms';
import { HpccppWindow } from '../../../../../host-agent/algorithm/window-form';

const link = { linkRate: 100e9, baseRtt: 4_160_000 };

describe('algorithms by name', () => {
  test.each(ALGORITHMS)('%s starts at the rate of the link', (name) => {
    expect(algorithmNamed(name).factory({})(link).pacingRate).toBe(100e9);
  });

  test('hpccpp reads its tuning', () => {
    expect(algorithmNamed('hpccpp').factory({ maxStage: 0 })(link)).toBeInstanceOf(HpccppWindow);
    expect(() => algorithmNamed('hpccpp').factory({ targetUtilization: 2 })(link)).toThrow(
      /targetUtil/,
    );
  });

  test('none is slowed by nothing', () => {
    const control = algorithmNamed('none').factory({ targetUtilization: 0.5 })(link);
    control.onLoad({ ackSequence: 1, nextSequence: 2, now: 1, ratio: 9, intervalNs: 1000 });
    control.onFlowCount(1000);
    expect([control.pacingRate, control.windowBytes]).toEqual([100e9, 2 ** 30]);
  });
});
