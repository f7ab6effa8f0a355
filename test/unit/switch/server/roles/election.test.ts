import * as fc from 'fast-check';
import { codeName } from '../../../../../common/p4runtime/rpc-code';
import { Election } from '../../../../../switch/server/roles/election';
import type { Notice } from '../../../../../switch/server/roles/election';

const shown = (notices: readonly Notice<string>[]): string[] =>
  notices.map(({ client, highest, code }) => `${client} ${String(highest)} ${codeName(code)}`);

describe('an election', () => {
  test('the new primary hears last', () => {
    const election = new Election<string>(16);
    expect(shown(election.bid('a', 1n))).toEqual(['a 1 OK']);
    expect(shown(election.bid('b', 2n))).toEqual(['a 2 ALREADY_EXISTS', 'b 2 OK']);
    expect(shown(election.bid('c', 1000n))).toEqual([
      'a 1000 ALREADY_EXISTS',
      'b 1000 ALREADY_EXISTS',
      'c 1000 OK',
    ]);
  });

  test('a backup that bids again hears alone', () => {
    const election = new Election<string>(16);
    election.bid('a', 5n);
    expect(shown(election.bid('b', 3n))).toEqual(['b 5 ALREADY_EXISTS']);
    expect(shown(election.bid('b', 4n))).toEqual(['b 5 ALREADY_EXISTS']);
  });

  test('all hear of it when the primary bids again', () => {
    const election = new Election<string>(16);
    election.bid('a', 5n);
    election.bid('b', 3n);
    expect(shown(election.bid('a', 8n))).toEqual(['b 8 ALREADY_EXISTS', 'a 8 OK']);
  });

  test('without any bid the highest id is unset', () => {
    const election = new Election<string>(16);
    expect(shown(election.bid('a', undefined))).toEqual(['a undefined NOT_FOUND']);
  });

  test('the place of a primary that left stays empty below its id', () => {
    const election = new Election<string>(16);
    election.bid('a', 5n);
    election.bid('b', 3n);
    expect(shown(election.leave('a'))).toEqual(['b 5 NOT_FOUND']);
    expect(election.isPrimary(5n)).toBe(false);
    expect(shown(election.bid('b', 4n))).toEqual(['b 5 NOT_FOUND']);
    expect(shown(election.bid('b', 5n))).toEqual(['b 5 OK']);
    expect(election.isPrimaryClient('b')).toBe(true);
  });

  test('a backup leaves unnoticed', () => {
    const election = new Election<string>(16);
    election.bid('a', 5n);
    election.bid('b', 3n);
    expect(election.leave('b')).toEqual([]);
    expect(election.isPrimary(5n)).toBe(true);
  });

  test('an id in use is refused and changes nothing', () => {
    const election = new Election<string>(16);
    election.bid('a', 5n);
    expect(() => election.bid('b', 5n)).toThrow('election id 5 is already in use');
    expect(shown(election.bid('a', 5n))).toEqual(['a 5 OK']);
  });

  test('too many clients are refused', () => {
    const election = new Election<string>(2);
    election.bid('a', 1n);
    election.bid('b', 2n);
    expect(() => election.bid('c', 3n)).toThrow('there are already 2 controllers');
    election.leave('b');
    expect(shown(election.bid('c', 3n))).toContain('c 3 OK');
  });

  test('at most one client is primary, and it has the highest id ever seen', () => {
    const client = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.oneof(
      fc.record({ client, id: fc.option(fc.bigInt(0n, 6n), { nil: undefined }) }),
      fc.record({ client, leave: fc.constant(true) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const election = new Election<string>(4);
        const bids = new Map<string, bigint | undefined>();
        let highest = -1n;
        for (const each of steps) {
          if ('leave' in each) {
            election.leave(each.client);
            bids.delete(each.client);
            continue;
          }
          try {
            election.bid(each.client, each.id);
          } catch {
            continue;
          }
          bids.set(each.client, each.id);
          if (each.id !== undefined && each.id > highest) highest = each.id;
        }
        const primaries = ['a', 'b', 'c', 'd'].filter((name) => election.isPrimaryClient(name));
        expect(primaries.length).toBeLessThanOrEqual(1);
        for (const name of primaries) expect(bids.get(name)).toBe(highest);
        expect(election.isPrimary(highest)).toBe(primaries.length === 1);
      }),
    );
  });
});
