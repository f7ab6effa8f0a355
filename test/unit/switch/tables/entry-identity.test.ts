import { MatchTable } from '../../../../switch/tables/match-table';
import type { TableEntry } from '../../../../switch/control/table-control';
import type { KeyField, MatchKind } from '../../../../common/p4runtime/key-field';

function table(kind: MatchKind, widths: readonly number[], size = 4): MatchTable {
  return new MatchTable({
    name: 't',
    matchKind: kind,
    key: widths.map((width, i) => ({ name: `k${i}`, matchKind: kind, width })),
    size,
    actions: new Map([[1, { id: 1, name: 'forward', parameters: [{ name: 'port', width: 9 }] }]]),
    profile: undefined,
    defaultCall: undefined,
    defaultIsConstant: false,
    constantEntries: undefined,
  });
}

const exact = (value: number | bigint): KeyField => ({ kind: 'exact', value: BigInt(value) });
const ternary = (value: number, mask: number): KeyField => ({
  kind: 'ternary',
  value: BigInt(value),
  mask: BigInt(mask),
});
const lpm = (value: number, prefixLength: number): KeyField => ({
  kind: 'lpm',
  value: BigInt(value),
  prefixLength,
});
const entry = (key: readonly KeyField[], port: number): TableEntry => {
  const call = { actionId: 1, arguments: [BigInt(port)] };
  return { key, priority: 0, action: { kind: 'call', call } };
};
const portOf = (found: Pick<TableEntry, 'action'> | undefined): bigint | undefined =>
  found?.action.kind === 'call' ? found.action.call.arguments[0] : undefined;

describe('the entry with a key', () => {
  // With a map that looks at the low bits alone, this takes minutes.
  test('is found among many wide ones that differ in their high bits', () => {
    const COUNT = 100_000;
    const t = table('exact', [128], COUNT);
    const valueOf = (i: number): bigint => (BigInt(i) << 64n) | 1n;
    for (let i = 0; i < COUNT; i++) t.insert(entry([exact(valueOf(i))], i % 512));
    expect(portOf(t.lookup([valueOf(77_777)]))).toBe(BigInt(77_777 % 512));
    expect(t.lookup([valueOf(77_777) - 1n])).toBeUndefined();
  });

  test('has just that key and priority', () => {
    const t = table('exact', [8, 8]);
    t.insert(entry([exact(1), exact(2)], 5));
    expect(t.find([exact(1), exact(2)], 0)).toBeDefined();
    expect(t.find([exact(1), exact(2)], 7)).toBeUndefined();
    expect(t.find([exact(0), exact(0x102)], 0)).toBeUndefined();
    expect(t.find([exact(1), ternary(2, 255)], 0)).toBeUndefined();
    expect(t.find([exact(1)], 0)).toBeUndefined();
  });

  test.each([
    ['that is narrow', 32],
    ['that is wide', 40],
  ])('in a field %s has that value and length', (_, width) => {
    const t = table('lpm', [width]);
    t.insert(entry([lpm(2 ** (width - 1), 8)], 1));
    t.insert(entry([lpm(2 ** (width - 1), 9)], 2));
    const port = (key: KeyField, priority = 0) => portOf(t.find([key], priority));
    expect(port(lpm(2 ** (width - 1), 8))).toBe(1n);
    expect(port(lpm(2 ** (width - 1), 9))).toBe(2n);
    expect(port(lpm(2 ** (width - 1), 10))).toBeUndefined();
    expect(port(lpm(2 ** (width - 1) + 1, 8))).toBeUndefined();
    expect(port(lpm(0, 8))).toBeUndefined();
    expect(port(lpm(2 ** (width - 1), 8), 3)).toBeUndefined();
    expect(port(exact(2 ** (width - 1)))).toBeUndefined();
  });
});
