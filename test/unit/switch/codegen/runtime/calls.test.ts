import {
  countHit,
  meterHit,
  noHash,
  PreparedCalls,
  profileCall,
} from '../../../../../switch/codegen/runtime/calls';
import type { GeneratedPacket } from '../../../../../switch/codegen/runtime/generated-packet';
import type { ActionCall } from '../../../../../switch/control/table-control';
import type { InstalledEntry } from '../../../../../switch/tables/match-index';
import type { MatchTable } from '../../../../../switch/tables/match-table';

const packet = { now: 5, receivedLength: 100 } as unknown as GeneratedPacket;
const calls: readonly ActionCall[] = [10n, 11n, 12n].map((value) => ({
  actionId: 1,
  arguments: [value],
}));
const [first, second, third] = calls;

const entry = (action: object): InstalledEntry =>
  ({ action, choice: undefined, counter: { packets: 0, bytes: 0 } }) as unknown as InstalledEntry;
const member = (memberId = 4): InstalledEntry => entry({ kind: 'member', memberId });
const group = (groupId = 7): InstalledEntry => entry({ kind: 'group', groupId });

/** A table whose profile has one member, and one group of so many calls. */
function tableOf(shares: readonly ActionCall[]): MatchTable {
  const profile = {
    version: 1,
    memberCall: (id: number) => (id === 4 ? first : undefined),
    groupCall: (id: number, hash: number | bigint) =>
      id === 7 ? shares[Number(BigInt(hash) % BigInt(shares.length))] : undefined,
    choiceOf: ({ kind }: { kind: string }) => ({
      version: profile.version,
      calls: kind === 'member' ? [first] : shares,
      prepared: [],
    }),
  };
  return { profile } as unknown as MatchTable;
}

const hashOf = (value: number | bigint) => () => value;
const noSelector = (): number => {
  throw new Error('nothing is to be chosen from');
};

type CallOf = (
  ...args: Parameters<typeof profileCall>
) => { readonly actionId: number; readonly value: bigint } | undefined;

const shown = (call: ActionCall | undefined): ReturnType<CallOf> =>
  call && { actionId: call.actionId, value: call.arguments[0] ?? 0n };
const told: CallOf = (...args) => shown(profileCall(...args));
const parameters = [{ name: 'value', width: 8 }];
const actions = { action: (id: number) => ({ id, name: 'a', parameters }) };

/** By calls that are kept in the form of generated code. */
function chosen(): CallOf {
  const prepared = new PreparedCalls(actions);
  return (...args) => {
    const found = prepared.ofChosen(...args);
    return found && { actionId: found.actionId, value: BigInt(found.numbers[0] ?? 0) };
  };
}

describe('the call of an entry', () => {
  describe.each([
    ['as it was written', told],
    ['in the form of generated code', chosen()],
  ])('%s', (_, callOf) => {
    test('is its own, that of its member, or one of its group by the hash', () => {
      const table = tableOf(calls);
      const own = entry({ kind: 'call', call: second });
      // The second time it is found where the first one has left it.
      for (let time = 0; time < 2; time++) {
        expect(callOf(table, own, noSelector, packet)).toEqual(shown(second));
        expect(callOf(table, member(), noSelector, packet)).toEqual(shown(first));
        expect(callOf(table, group(), hashOf(4), packet)).toEqual(shown(second));
        expect(callOf(table, group(), hashOf(2n ** 64n + 1n), packet)).toEqual(
          shown(calls[Number((2n ** 64n + 1n) % 3n)]),
        );
        expect(callOf(table, group(), noHash, packet)).toEqual(shown(first));
      }
    });

    test('is none without a profile', () => {
      const table = { profile: undefined } as unknown as MatchTable;
      expect(callOf(table, member(), noSelector, packet)).toBeUndefined();
    });
  });

  test('goes by the hash of each packet, where entries share what they choose from', () => {
    const callOf = chosen();
    const [table, one] = [tableOf(calls), group()];
    const values = [0, 1, 2, 3, 1].map((hash) => callOf(table, one, hashOf(hash), packet)?.value);
    expect(values).toEqual([10n, 11n, 12n, 10n, 11n]);
  });

  test('asks for no hash where there is nothing to choose from', () => {
    const callOf = chosen();
    const only = tableOf([third as ActionCall]);
    expect(callOf(only, group(), noSelector, packet)).toEqual(shown(third));
    expect(callOf(tableOf([]), group(), noSelector, packet)).toBeUndefined();
  });

  test('is chosen from what the profile has now, for those who know its actions now', () => {
    const callOf = chosen();
    const [before, after] = [tableOf([second as ActionCall]), tableOf([third as ActionCall])];
    const found = group();
    expect(callOf(before, found, noSelector, packet)).toEqual(shown(second));
    // With the same version the found member is kept.
    expect(callOf(after, found, noSelector, packet)).toEqual(shown(second));
    Object.assign(after.profile ?? {}, { version: 2 });
    expect(callOf(after, found, noSelector, packet)).toEqual(shown(third));
    const others = new PreparedCalls({ action: () => undefined });
    expect(others.ofChosen(after, found, noSelector, packet)?.numbers).toHaveLength(0);
  });
});

test('a hit is counted in packets and bytes', () => {
  const hit = member();
  countHit(hit, 64);
  countHit(hit, 100);
  expect(hit.counter).toEqual({ packets: 2, bytes: 164 });
});

test('a hit is green without a meter, and else has its colour, by packets or bytes', () => {
  expect(meterHit(member(), packet, 'bytes')).toBe(0);
  const asked: number[][] = [];
  const meter = { execute: (...values: number[]) => asked.push(values) };
  const metered = { ...member(), meter } as unknown as InstalledEntry;
  meterHit(metered, packet, 'packets');
  expect(meterHit(metered, packet, 'bytes')).toBe(2);
  expect(asked).toEqual([
    [5, 1],
    [5, 100],
  ]);
});

describe('prepared runtime data', () => {
  const widths = (...list: number[]) => ({
    action: (id: number) =>
      id === 1
        ? { id, name: 'a', parameters: list.map((width, i) => ({ name: `p${i}`, width })) }
        : undefined,
  });
  const all = (values: readonly bigint[], ...list: number[]): number[] => [
    ...new PreparedCalls(widths(...list)).of({ actionId: 1, arguments: values }).numbers,
  ];

  test.each([
    [32, [2 ** 32 - 1, 0]],
    [52, [2 ** 52 - 1, 0]],
    [53, [2 ** 21 - 1, 2 ** 32 - 1]],
    [64, [2 ** 32 - 1, 2 ** 32 - 1]],
    [65, [Number(2n ** 65n - 1n), 0]],
  ])('of %i bits are %j', (width, numbers) => {
    expect(all([2n ** BigInt(width) - 1n], width)).toEqual(numbers);
  });

  test('are 0 where the call has fewer, and no more than their bits', () => {
    expect(all([0x1ffn], 8, 16)).toEqual([255, 0, 0, 0]);
    const prepared = new PreparedCalls(widths(8, 128)).of({ actionId: 1, arguments: [1n] });
    expect(prepared.bigints).toEqual([1n, 0n]);
  });

  test('are none for an action that nobody knows', () => {
    const prepared = new PreparedCalls(widths(8)).of({ actionId: 2, arguments: [1n] });
    expect([prepared.numbers.length, prepared.bigints]).toEqual([0, []]);
  });

  test('stay with the entry that calls, as long as those who know its actions ask', () => {
    const [prepared, others] = [new PreparedCalls(widths(8)), new PreparedCalls(widths(64))];
    const calling = entry({ kind: 'call', call: { actionId: 1, arguments: [2n ** 40n + 3n] } });
    const data = prepared.ofEntry(calling);
    expect([data?.actionId, ...(data?.numbers ?? [])]).toEqual([1, 3, 0]);
    expect(calling.prepared).toBe(data);
    expect(prepared.ofEntry(calling)).toBe(data);
    expect([...(others.ofEntry(calling)?.numbers ?? [])]).toEqual([256, 3]);
    expect(prepared.ofEntry(member())).toBeUndefined();
    expect(prepared.of(undefined)).toBeUndefined();
  });

  test('are shared by those who know the same actions, and made anew for others', () => {
    const shared = {};
    const [a, b, c] = [
      new PreparedCalls({ ...widths(8), actions: shared }),
      new PreparedCalls({ ...widths(8), actions: shared }),
      new PreparedCalls(widths(64)),
    ];
    const call = { actionId: 1, arguments: [2n ** 40n + 3n] };
    const prepared = a.of(call);
    expect(b.of(call)).toBe(prepared);
    expect([...prepared.numbers]).toEqual([3, 0]);
    expect([...c.of(call).numbers]).toEqual([256, 3]);
    expect([...a.of(call).numbers]).toEqual([3, 0]);
  });

  test('are not seen by those who print or compare the call, and need none that can be extended', () => {
    const call = { actionId: 1, arguments: [3n] };
    const frozen = Object.freeze({ ...call });
    const prepared = new PreparedCalls(widths(8));
    expect([...prepared.of(call).numbers]).toEqual([...prepared.of(frozen).numbers]);
    expect(Object.keys(call)).toEqual(['actionId', 'arguments']);
    expect(call).toEqual({ actionId: 1, arguments: [3n] });
  });
});
