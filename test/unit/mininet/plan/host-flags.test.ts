import { hostFlags } from '../../../../mininet/plan/commands';

const algorithm = {
  baseRttUs: 2000,
  targetUtilization: 0.9,
  maxStage: 3,
  expectedFlows: 4,
  mss: 1000,
};
const TUNING = ['--target-utilization', '0.9', '--max-stage', '3', '--expected-flows', '4'];
const host = { name: 'h1', links: [{ interface: 'h1-eth0', rateBps: 1e8 }] };

describe('the flags of a host', () => {
  test.each([
    ['without --algorithm', [], [], true],
    ['with HPCC++ by its name', ['--algorithm', 'hpccpp'], [], true],
    ['with another algorithm for all hosts', ['--algorithm', 'powertcp'], [], false],
    ['with another algorithm for a flow', [], ['--algorithm', './mine.mjs'], false],
    ['with HPCC++ for a flow', ['--algorithm', 'hpcc'], ['--algorithm', 'hpccpp'], true],
  ])('have parameters of HPCC++ for HPCC++ alone: %s', (_what, options, more, isTuned) => {
    const does = { starts: true, answers: false };
    const flags = hostFlags({ algorithm, options }, { host, does }, more);
    const path = ['-i', 'h1-eth0', '--link-rate-bps', '100000000', '--base-rtt-us', '2000'];
    const tuning = isTuned ? TUNING : [];
    expect(flags).toEqual([...path, '--mss', '1000', ...tuning, ...options, ...more]);
  });

  const does = { starts: true, answers: false };
  const stepOf = (step: object, options: string[], more: readonly string[] = []) =>
    hostFlags(
      { algorithm: { ...algorithm, expectedFlows: undefined, ...step }, options },
      { host, does },
      more,
    ).slice(12);

  test('have one additive increase: that of options, or else W_ai, or else N', () => {
    expect(stepOf({}, [])).toEqual(['--expected-flows', '100']);
    expect(stepOf({ waiBytes: 250 }, [])).toEqual(['--wai-bytes', '250']);
    expect(stepOf({ expectedFlows: 4 }, ['--wai-bytes', '9'])).toEqual(['--wai-bytes', '9']);
    expect(stepOf({ waiBytes: 250 }, [], ['--expected-flows', '7'])).toEqual([
      '--expected-flows',
      '7',
    ]);
  });

  test('are those that have an effect where the host is', () => {
    const options = ['--ack-every', '4', '--rto-ms', '200'];
    const at = (starts: boolean, more: readonly string[]): string[] =>
      hostFlags({ algorithm, options }, { host, does: { starts, answers: !starts } }, more).slice(
        8,
      );
    expect(at(true, [])).toEqual([...TUNING, '--rto-ms', '200']);
    expect(at(false, [])).toEqual(['--ack-every', '4']);
    const remote = ['--feedback', 'receiver'];
    expect(at(true, remote)).toEqual(['--rto-ms', '200', ...remote]);
    expect(at(false, remote)).toEqual([...TUNING, '--ack-every', '4', ...remote]);
  });

  test('name all interfaces of a host with several links, each with its rate', () => {
    const links = [
      { interface: 'h1-eth1', rateBps: 1e7 },
      { interface: 'h1-eth2', rateBps: 4e7 },
    ];
    const flags = hostFlags({ algorithm, options: [] }, { host: { name: 'h1', links }, does }, []);
    expect(flags.slice(0, 2)).toEqual(['-i', 'h1-eth1=10000000,h1-eth2=40000000']);
    expect(flags).not.toContain('--link-rate-bps');
  });
});
