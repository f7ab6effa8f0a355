import { StateError } from '../../control/table-control';
import { standardTypes } from '../../../common/thrift/generated-code';
import type { EntryId, EntryResources } from '../../control/program-control';
import type {
  ActionCall,
  ActionProfileControl,
  ActionSignature,
  TableControl,
  TableEntry,
  StateErrorCode,
} from '../../control/table-control';
import type { ThriftProgram, ThriftTarget } from './target';

const { TableError, TableFailure } = standardTypes;

/** Types of tables on bmv2: actions in the entries, members, or members and groups. */
export type TableType = 'direct' | 'indirect' | 'with selector';

export interface NamedTable {
  readonly program: ThriftProgram;
  readonly table: TableControl;
  readonly resources: EntryResources;
  readonly type: TableType;
}

export interface NamedProfile {
  readonly program: ThriftProgram;
  readonly profile: ActionProfileControl;
}

/** @throws TableFailure when there is no such table, or none of these types. */
export function tableNamed(
  { program }: ThriftTarget,
  name: string,
  types: readonly TableType[],
): NamedTable {
  const table = program?.tables.get(name);
  const resources = program?.entryResources.get(name);
  if (program === undefined || table === undefined || resources === undefined) {
    throw failure(TableError.UNKNOWN_TABLE);
  }
  const type = typeOf(program, table);
  if (!types.includes(type)) throw failure(TableError.OTHER_TABLE_TYPE);
  return { program, table, resources, type };
}

/** @throws TableFailure when there is no such action profile. */
export function profileNamed({ program }: ThriftTarget, name: string): NamedProfile {
  const profile = program?.actionProfiles.get(name);
  if (program !== undefined && profile !== undefined) return { program, profile };
  throw failure(TableError.UNKNOWN_PROFILE);
}

/** The entry behind a handle. @throws TableFailure */
export function entryBehind(table: TableControl, handle: number): TableEntry {
  const found = table.byHandle(handle);
  if (found === 'unknown') throw failure(TableError.UNKNOWN_HANDLE);
  if (found === 'expired') throw failure(TableError.EXPIRED_HANDLE);
  return found;
}

/** Key and priority of the entry behind a handle. @throws TableFailure */
export function idBehind(table: TableControl, handle: number): EntryId {
  const { key, priority } = entryBehind(table, handle);
  return { key, priority };
}

/** @throws TableFailure when the table does not know the action, or the values do not fit. */
export function callOf(action: ActionSignature | undefined, values: readonly Buffer[]): ActionCall {
  if (action === undefined) throw failure(TableError.UNKNOWN_ACTION);
  if (values.length !== action.parameters.length) {
    throw failure(TableError.BAD_ARGUMENTS);
  }
  return { actionId: action.id, arguments: values.map(numberOf) };
}

/** A call with its values in as few bytes as they need, as bmv2 returns them. */
export function callMessage(
  program: ThriftProgram,
  call: ActionCall,
): { readonly name: string; readonly values: Buffer[] } {
  return {
    name: program.action(call.actionId)?.name ?? '',
    values: call.arguments.map((value) => bytesOf(value, 0)),
  };
}

/** Runs a write; a refusal of the switch becomes the code that bmv2 gives. @throws TableFailure */
export function writing<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw error instanceof StateError ? refusedBy(error) : error;
  }
}

export const numberOf = (bytes: Buffer): bigint => BigInt(`0x0${bytes.toString('hex')}`);

/** Big-endian, in the bytes of `width` bits or in more if it needs them. */
export function bytesOf(value: bigint, width: number): Buffer {
  const hex = value.toString(16);
  const digits = Math.max(2 * Math.ceil(width / 8), 2 * Math.ceil(hex.length / 2));
  return Buffer.from(hex.padStart(digits, '0'), 'hex');
}

function typeOf(program: ThriftProgram, table: TableControl): TableType {
  if (table.actionProfile === undefined) return 'direct';
  const profile = program.actionProfiles.get(table.actionProfile);
  return profile?.withSelector === true ? 'with selector' : 'indirect';
}

type Code = (typeof TableError)[keyof typeof TableError];

/** bmv2's codes for refused writes to a table. */
const CODES: Readonly<Record<StateErrorCode, Code>> = {
  'already-exists': TableError.DUPLICATE_ENTRY,
  'not-found': TableError.BAD_KEY,
  exhausted: TableError.TABLE_FULL,
  invalid: TableError.BAD_KEY,
  'permission-denied': TableError.FIXED_ENTRIES,
};

export const refusedBy = ({ code }: StateError): InstanceType<typeof TableFailure> =>
  new TableFailure({ code: CODES[code] });

export const failure = (code: Code): InstanceType<typeof TableFailure> =>
  new TableFailure({ code });
