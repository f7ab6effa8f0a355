import { adviceOf, lighterLoad } from '../../../../mininet/experiment/lighter-load';
import { preparedCases } from '../../../support/mininet-fixture';

function ownOf(name: string, set: readonly string[] = []) {
  const [prepared] = preparedCases(name, { set });
  if (prepared === undefined) throw new Error(`${name} has no case`);
  return prepared.own;
}

describe('less work for a machine that was too slow', () => {
  test('is what the experiment offers, below what was used', () => {
    expect(lighterLoad(ownOf('incast', ['rate=9']))).toBe('try fewer Mb/s (--set rate=N, below 9)');
  });

  test('is not what makes no difference', () => {
    expect(lighterLoad(ownOf('incast', ['rate=1']))).toBe(
      'rate is at its least, so this machine is too slow for it',
    );
    const own = ownOf('incast');
    const document = {
      ...own.document,
      parameters: { seconds: { default: 5, about: 'of each flow' } },
    };
    expect(lighterLoad({ document, values: { seconds: 5 } })).toBe('lower the rates of its links');
  });
});

test('missed bars come with a next step', () => {
  const own = ownOf('incast', ['rate=9']);
  expect(adviceOf(own, false)).toBe(
    'where the machine is too busy for these bars, try fewer Mb/s (--set rate=N, below 9), or run with --realtime, which goes before other work here',
  );
  expect(adviceOf(own, true)).not.toContain('--realtime');
});
