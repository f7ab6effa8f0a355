import { coordinationFigures, pathChanges } from '../../../../mininet/figures/figures';
import { hostCoordination, KEY_FILE } from '../../../../mininet/plan/host-coordination';
import { Trace } from '../../../../mininet/observation/trace';
import { preparedCases, singleFlow } from '../../../support/mininet-fixture';

/** A trace whose updates come over these paths. */
function traceOf(paths: readonly (readonly number[])[]): Trace {
  const trace = new Trace();
  for (const path of paths) {
    const hops = path.map((node): [number, number, null] => [node, 0, null]);
    trace.append({ windowBytes: 1, rateBps: 1, hops, normalizedInflight: 1 }, 0);
  }
  return trace;
}

const commands = (name: string): readonly string[] => {
  const found = preparedCases('coordination').find(({ own }) => own.name === name);
  const started = found?.plan.timeline.flatMap((event) =>
    event.action === 'start' ? [event.process.argv] : [],
  );
  const agents = found?.plan.services.map(({ argv }) => argv);
  return [...(started ?? []), ...(agents ?? [])].map((argv) => argv.join(' '));
};

describe('the experiment with coordination', () => {
  test('loads the profile that has it, in each of its modes', () => {
    const modes = preparedCases('coordination').map(({ network, plan }) => [
      network.text.coordination?.mode,
      new Set(plan.switches.map(({ program }) => program.name)),
    ]);
    const programs = new Set(['hpcc-ccm']);
    expect(modes).toEqual([
      ['ecmp', programs],
      ['adaptive', programs],
      ['coordinated', programs],
    ]);
  });

  test('gives senders the key and the time to hold only where switches notify them', () => {
    const flags = `--coordination /run/out/${KEY_FILE} --coordination-hold-ms 3000`;
    expect(commands('coordinated')).toHaveLength(8);
    for (const command of commands('coordinated')) {
      expect(command.includes(flags)).toBe(/(^|\s)send\s/.test(command));
    }
    for (const command of [...commands('ecmp'), ...commands('adaptive')]) {
      expect(command).not.toContain('--coordination');
    }
  });

  test('writes keys as hosts read them', () => {
    const networks = preparedCases('coordination').map(({ network }) => hostCoordination(network));
    expect(networks).toEqual([
      undefined,
      undefined,
      { keys: '{"1":"000102030405060708090a0b0c0d0e0f"}\n', holdMs: 3000 },
    ]);
  });
});

describe('figures of coordination', () => {
  const observation = singleFlow();
  const [flow] = observation.flows;
  const coordinated = preparedCases('coordination')[2];
  if (flow === undefined || coordinated === undefined) throw new Error('fixtures are incomplete');

  test('a network without it has none', () => {
    expect(new Set(Object.values(coordinationFigures(observation)))).toEqual(new Set([null]));
  });

  test('notifications are added up over the hosts that obey them', () => {
    const counts = (n: number) => ({
      controlRequired: n,
      controlReleased: 2 * n,
      reroutingRequired: 0,
    });
    const flows = [counts(1), undefined, counts(3)].map((notifications) => ({
      ...flow,
      notifications,
    }));
    expect(coordinationFigures({ ...observation, flows, network: coordinated.network })).toEqual({
      controlRequired: 4,
      controlReleased: 8,
      reroutingRequired: 0,
      pathChanges: 0,
    });
  });

  test.each([
    ['nothing was told', [], 0],
    [
      'always the same switches',
      [
        [1, 2, 4],
        [1, 2, 4],
      ],
      0,
    ],
    [
      'there and back',
      [
        [1, 2, 4],
        [1, 3, 4],
        [1, 3, 4],
        [1, 2, 4],
      ],
      2,
    ],
  ])('changes of path when %s', (_what, paths, wanted) => {
    const trace = traceOf(paths);
    expect(pathChanges(trace)).toBe(wanted);
  });
});
