import { checkIncrease, withIncrease } from '../../../../mininet/experiment/tuning';
import type { ExperimentCase } from '../../../../mininet/experiment/load-experiment';
import { preparedCases } from '../../../support/mininet-fixture';

const caseOf = (name: string, part: Partial<ExperimentCase['document']> = {}): ExperimentCase => {
  const [prepared] = preparedCases(name);
  if (prepared === undefined) throw new Error(`${name} has no case`);
  const { own } = prepared;
  return { ...own, document: { ...own.document, ...part } };
};

describe('the additive increase of a command line', () => {
  test('takes the place of that of the experiment, its options and its flows', () => {
    const own = caseOf('fast-feedback', { options: ['--rto-ms', '200', '--expected-flows', '2'] });
    const { algorithm, options } = withIncrease(own, { waiBytes: 250 }).document;
    expect(algorithm).toMatchObject({ waiBytes: 250, maxStage: 5 });
    expect(algorithm.expectedFlows).toBeUndefined();
    expect(options).toEqual(['--rto-ms', '200']);
    const flows = own.document.flows.map((flow) => ({ ...flow, options: ['--wai-bytes', '1'] }));
    const { document } = withIncrease(caseOf('fast-feedback', { flows }), { expectedFlows: 3 });
    expect(document.algorithm.expectedFlows).toBe(3);
    expect(document.flows.flatMap((flow) => flow.options)).toEqual([]);
  });

  test('leaves an experiment alone without it', () => {
    const own = caseOf('single-flow');
    expect(withIncrease(own, {})).toBe(own);
  });

  test.each([
    ['tcp', {}],
    ['single-flow', { options: ['--algorithm', 'powertcp'] }],
  ])('is refused where it would have no effect: %s with %j', (name, part) => {
    expect(() => withIncrease(caseOf(name, part), { waiBytes: 9 })).toThrow(
      `--wai-bytes would have no effect on ${name}`,
    );
  });

  test('is said once', () => {
    expect(() => checkIncrease({ waiBytes: 9, expectedFlows: 2 }, [])).toThrow('give one of them');
    expect(() => checkIncrease({ waiBytes: 9 }, ['rate=4', 'flowsExpected=3'])).toThrow(
      '--set flowsExpected says N, and so does --wai-bytes',
    );
    expect(() => checkIncrease({}, ['flowsExpected=3'])).not.toThrow();
    expect(() => checkIncrease({ expectedFlows: 2 }, ['rate=4'])).not.toThrow();
  });
});
