import { MatchTable } from '../../../../../switch/tables/match-table';
import type {
  ActionSignature,
  EntryAction,
  TableEntry,
} from '../../../../../switch/control/table-control';
import type { KeyField, MatchKind } from '../../../../../common/p4runtime/key-field';

export const ACTIONS = new Map<number, ActionSignature>([
  [1, { id: 1, name: 'forward', parameters: [{ name: 'port', width: 9 }] }],
  [2, { id: 2, name: 'drop', parameters: [] }],
]);

export function table(
  matchKind: MatchKind,
  key: readonly (readonly [MatchKind, number])[],
  over: Partial<ConstructorParameters<typeof MatchTable>[0]> = {},
): MatchTable {
  return new MatchTable({
    name: 't',
    matchKind,
    key: key.map(([kind, width], i) => ({ name: `k${i}`, matchKind: kind, width })),
    size: 4,
    actions: ACTIONS,
    profile: undefined,
    defaultCall: { actionId: 2, arguments: [] },
    defaultIsConstant: false,
    constantEntries: undefined,
    ...over,
  });
}

export const forward = (port: number): EntryAction => ({
  kind: 'call',
  call: { actionId: 1, arguments: [BigInt(port)] },
});
export const exact = (value: number | bigint): KeyField => ({
  kind: 'exact',
  value: BigInt(value),
});
export const lpm = (value: number | bigint, prefixLength: number): KeyField => ({
  kind: 'lpm',
  value: BigInt(value),
  prefixLength,
});
export const ternary = (value: number, mask: number): KeyField => ({
  kind: 'ternary',
  value: BigInt(value),
  mask: BigInt(mask),
});
export const range = (low: number, high: number): KeyField => ({
  kind: 'range',
  low: BigInt(low),
  high: BigInt(high),
});
export const entry = (key: readonly KeyField[], port: number, priority = 0): TableEntry => ({
  key,
  priority,
  action: forward(port),
});

/** Port that a lookup gives, or undefined on a miss. */
export function portOf(t: MatchTable, ...values: (number | bigint)[]): number | undefined {
  const action = t.lookup(values.map(BigInt))?.action;
  return action?.kind === 'call' ? Number(action.call.arguments[0]) : undefined;
}
