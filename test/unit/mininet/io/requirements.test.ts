import * as fs from 'node:fs';
import { requireMachine } from '../../../../mininet/io/requirements';
import { PYTHON } from '../../../../mininet/io/run-plan';
import type { Plan } from '../../../../mininet/plan/plan';
import type { CaseChoice } from '../../../support/mininet-fixture';
import { preparedCases } from '../../../support/mininet-fixture';
import { describeIf } from '../../../support/requires';

function planOf(name: string, choice: CaseChoice = {}): Plan {
  const [prepared] = preparedCases(name, choice);
  if (prepared === undefined) throw new Error(`${name} has no case`);
  return prepared.plan;
}

describe('what a run needs of the machine', () => {
  const path = process.env['PATH'];
  let root: jest.SpiedFunction<NonNullable<typeof process.getuid>>;

  beforeEach(() => {
    root = jest.spyOn(process as { getuid: () => number }, 'getuid').mockReturnValue(0);
    process.env['PATH'] = '/nonexistent';
  });
  afterEach(() => {
    root.mockRestore();
    process.env['PATH'] = path;
  });

  test('without root nothing else is looked at', () => {
    root.mockReturnValue(1000);
    expect(() => requireMachine(planOf('single-flow'))).toThrow(/^hpcc mininet needs root/);
  });

  describeIf(fs.existsSync(PYTHON), 'with Python', `there is no ${PYTHON}`, () => {
    test('missing programs are named with the command that installs their packages', () => {
      expect(() => requireMachine(planOf('single-flow'))).toThrow(
        /misses .*ip, ethtool\ninstall with: apt-get install .*iproute2 ethtool$/,
      );
    });
  });

  test('iperf3 is needed by experiments with TCP, tcpdump by captures', () => {
    expect(() => requireMachine(planOf('tcp'))).toThrow(/apt-get install .*iperf3$/);
    expect(() => requireMachine(planOf('single-flow', { pcap: true }))).toThrow(
      /apt-get install .*tcpdump$/,
    );
  });

  test('bmv2 is in no package of Debian', () => {
    expect(() => requireMachine(planOf('single-flow', { kind: 'bmv2' }))).toThrow(
      'simple_switch_grpc: no Debian package has it; see docs/mininet-experiments.md',
    );
  });
});
