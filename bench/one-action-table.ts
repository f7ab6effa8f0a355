import type { MatchKind } from '../common/p4runtime/key-field';
import type { KeySpec } from '../switch/tables/keys/key-fields';
import { MatchTable } from '../switch/tables/match-table';

/** An empty table whose entries all call one action without parameters. */
export const oneActionTable = (
  matchKind: MatchKind,
  key: readonly KeySpec[],
  size: number,
): MatchTable =>
  new MatchTable({
    name: 'measured',
    matchKind,
    key,
    size,
    actions: new Map([[1, { id: 1, name: 'forward', parameters: [] }]]),
    profile: undefined,
    defaultCall: undefined,
    defaultIsConstant: false,
    constantEntries: undefined,
  });
