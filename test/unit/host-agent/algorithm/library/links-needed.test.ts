import { algorithmNamed } from '../../../../../host-agent/algorithm/library/algorithms';
import { customAlgorithm } from '../../../../../host-agent/algorithm/library/custom-algorithm';
import { testHost } from '../../../../support/hosts';

const own = (signals: object) =>
  customAlgorithm('./mine.mjs', { create: () => ({}), signals }).signals;

describe('algorithms that a load alone tells nothing', () => {
  test.each([
    ['hpcc', algorithmNamed('hpcc').signals],
    ['powertcp', algorithmNamed('powertcp').signals],
    ['one from a file', own({})],
  ])('are refused where links are hidden, and where a carrier tells none: %s', (_name, signals) => {
    expect(() => testHost(1, { signals, feedback: { hidesLinks: true } })).toThrow(
      'links: hidden leaves a load alone, and the algorithm needs records of links',
    );
    expect(() => testHost(1, { signals, carrier: { name: 'csig' } })).toThrow(
      'csig tells one signal of a path, and the algorithm needs records of links',
    );
    expect(() => testHost(1, { signals })).not.toThrow();
  });

  test.each(['hpccpp', 'hpccpp-lean', 'hpccpp-spray'])('are not %s', (name) => {
    const { signals } = algorithmNamed(name);
    expect(() => testHost(1, { signals, feedback: { hidesLinks: true } })).not.toThrow();
  });

  test('are no files that hear of no hops', () => {
    expect(own({ telemetry: 'none' }).needsLinks).toBeUndefined();
  });
});
