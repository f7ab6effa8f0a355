import { hostFlags } from '../../../../mininet/plan/commands';

const algorithm = {
  baseRttUs: 2000,
  targetUtilization: 0.9,
  maxStage: 3,
  expectedFlows: 4,
  mss: 1000,
};
const TUNING = ['--target-utilization', '0.9', '--max-stage', '3', '--expected-flows', '4'];
const host = { name: 'h1', rateBps: 1e8 };

describe('the flags of a host', () => {
  test.each([
    ['without --algorithm', [], [], true],
    ['with HPCC++ by its name', ['--algorithm', 'hpccpp'], [], true],
    ['with another algorithm for all hosts', ['--algorithm', 'powertcp'], [], false],
    ['with another algorithm for a flow', [], ['--algorithm', './mine.mjs'], false],
    ['with HPCC++ for a flow', ['--algorithm', 'hpcc'], ['--algorithm', 'hpccpp'], true],
  ])('have parameters of HPCC++ for HPCC++ alone: %s', (_what, options, more, isTuned) => {
    const flags = hostFlags({ algorithm, options }, host, more);
    const path = ['-i', 'h1-eth0', '--link-rate-bps', '100000000', '--base-rtt-us', '2000'];
    const tuning = isTuned ? TUNING : [];
    expect(flags).toEqual([...path, '--mss', '1000', ...tuning, ...options, ...more]);
  });
});
