import { axisNames } from '../../../../emulator/study/axis-names';

describe('names of axes', () => {
  test.each([
    ['parameters.targetUtilization', 'target utilization'],
    ['parameters.baseRttUs', 'base RTT (us)'],
    ['parameters.queueCapacityBytes', 'queue capacity (bytes)'],
    ['workloads.0.load', 'load, workloads 0'],
    ['flows.0.bytes', 'bytes, flows 0'],
    ['topology.rateGbps', 'rate, topology (Gb/s)'],
    ['topology', 'topology'],
    ['flows.0', 'flows 0'],
  ])('%s is %s', (path, name) => {
    expect(axisNames([path])).toEqual([name]);
  });

  test('paths of one name keep all of their words', () => {
    expect(axisNames(['flowCount', 'parameters.flowCount', 'seed'])).toEqual([
      'flowCount',
      'parameters.flowCount',
      'seed',
    ]);
  });
});
