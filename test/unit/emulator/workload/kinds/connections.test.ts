import { connectionsOf } from '../../../../../emulator/workload/kinds/connections';
import type { Connection } from '../../../../../emulator/workload/connection';
import { workloadSchema } from '../../../../../emulator/workload/kinds/workload';
import type { Workload } from '../../../../../emulator/workload/kinds/workload';

const workload = (given: object): Workload => workloadSchema.parse({ name: 'w', ...given });

/** The connections of one workload behind `first` flows. */
function expandWorkload(given: Workload, first: number): readonly Connection[] {
  const flow = { from: 'a', to: 'b', bytes: 9, startUs: 3, dscp: undefined };
  const flows = Array.from({ length: first }, () => flow);
  return connectionsOf({ flows, workloads: [given] }, { seed: 1, hosts: [] }).connections.slice(
    first,
  );
}

/** `from>to: bytes(after...)`, one text per connection. */
function textOf(given: Workload, first = 0): string[] {
  return expandWorkload(given, first).map(({ from, to, messages }) => {
    const each = messages.map(({ bytes, after }) => {
      const before = after.map(({ connection, message }) => `${connection}.${message}`).join(' ');
      return `${bytes}(${before})`;
    });
    return `${from}>${to}: ${each.join(', ')}`;
  });
}

describe('a ring all-reduce', () => {
  it('passes the chunk of the step before, 2(N - 1) times', () => {
    const ring = workload({ kind: 'ring-all-reduce', hosts: ['a', 'b', 'c'], bytes: 300 });
    expect(textOf(ring)).toEqual([
      'a>b: 100(), 100(2.0), 100(2.1), 100(2.2)',
      'b>c: 100(), 100(0.0), 100(0.1), 100(0.2)',
      'c>a: 100(), 100(1.0), 100(1.1), 100(1.2)',
    ]);
  });

  it('goes on with the next iteration after computing', () => {
    const ring = workload({
      kind: 'ring-all-reduce',
      hosts: ['a', 'b'],
      bytes: 200,
      iterations: 2,
      computeUs: 7,
    });
    const [first] = expandWorkload(ring, 5);
    expect(first?.messages.map(({ after }) => after)).toEqual([
      [],
      [{ connection: 6, message: 0 }],
      [{ connection: 6, message: 1 }],
      [{ connection: 6, message: 2 }],
    ]);
    expect(first?.messages.map(({ delayUs }) => delayUs)).toEqual([0, 0, 7, 0]);
  });
});

describe('an all-to-all', () => {
  it('lets each host send to one peer and receive from one peer per round', () => {
    const all = workload({ kind: 'all-to-all', hosts: ['a', 'b', 'c'], bytesPerPair: 10 });
    expect(textOf(all)).toEqual([
      'a>b: 10()',
      'a>c: 10(4.0)',
      'b>c: 10()',
      'b>a: 10(0.0)',
      'c>a: 10()',
      'c>b: 10(2.0)',
    ]);
  });

  it('begins the next iteration when the last round has arrived', () => {
    const all = workload({
      kind: 'all-to-all',
      hosts: ['a', 'b', 'c'],
      bytesPerPair: 10,
      iterations: 2,
    });
    expect(textOf(all)[0]).toBe('a>b: 10(), 10(3.0)');
    expect(textOf(all)[1]).toBe('a>c: 10(4.0), 10(4.1)');
  });
});

describe('training and incast', () => {
  it('wait for the iteration before of all connections', () => {
    const pairs = [
      ['a', 'b'],
      ['c', 'd'],
    ];
    const training = workload({ kind: 'training', pairs, bytes: 5, iterations: 2 });
    expect(textOf(training, 10)).toEqual(['a>b: 5(), 5(10.0 11.0)', 'c>d: 5(), 5(10.0 11.0)']);
    const incast = workload({ kind: 'incast', senders: ['a', 'b'], receiver: 'c', bytes: 5 });
    expect(textOf(incast)).toEqual(['a>c: 5()', 'b>c: 5()']);
  });

  it('has all other hosts send to the receiver unless told who', () => {
    const hosts = ['a', 'b', 'c'].map((name) => ({ name, rateGbps: 100 }));
    const all = workload({ kind: 'incast', receiver: 'b', bytes: 5 });
    const { connections } = connectionsOf({ flows: [], workloads: [all] }, { seed: 1, hosts });
    expect(connections.map(({ from, to }) => `${from}>${to}`)).toEqual(['a>b', 'c>b']);
  });

  it.each([
    [{ kind: 'training', pairs: [['a', 'a']], bytes: 5 }, 'workload w: a would send to itself'],
    [{ kind: 'incast', senders: ['a', 'b'], receiver: 'a', bytes: 5 }, 'w: a appears twice'],
    [{ kind: 'ring-all-reduce', hosts: ['a', 'b', 'a'], bytes: 5 }, 'w: a appears twice'],
  ])('are refused when a host would send to itself: %j', (given, message) => {
    expect(() => expandWorkload(workload(given), 0)).toThrow(message);
  });
});

describe('the connections of a scenario', () => {
  const flows = [{ from: 'a', to: 'b', bytes: 9, startUs: 3, dscp: undefined }];
  const incast = workload({
    kind: 'incast',
    senders: ['a', 'b'],
    receiver: 'c',
    bytes: 5,
    startUs: 10,
    jitterUs: 4,
  });

  it('are its flows, and then those of its workloads', () => {
    const { connections, collectives } = connectionsOf(
      { flows, workloads: [incast] },
      { seed: 1, hosts: [] },
    );
    expect(connections.map(({ from, to }) => from + to)).toEqual(['ab', 'ac', 'bc']);
    expect(collectives).toEqual([{ name: 'w', kind: 'incast', connections: [1, 2] }]);
  });

  it('start within the jitter, as the seed says', () => {
    const startsOf = (seed: number): number[] =>
      connectionsOf({ flows, workloads: [incast] }, { seed: seed, hosts: [] }).connections.map(
        ({ messages }) => messages[0]?.startUs ?? -1,
      );
    expect(startsOf(1)).toEqual(startsOf(1));
    expect(startsOf(1)).not.toEqual(startsOf(2));
    const [flow, ...others] = startsOf(3);
    expect(flow).toBe(3);
    for (const start of others) expect(start >= 10 && start < 14).toBe(true);
  });
});
