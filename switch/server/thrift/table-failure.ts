import { standardTypes } from '../../../common/thrift/io/generated-code';
import type { StateError, StateErrorCode } from '../../control/table-control';

const { TableError, TableFailure } = standardTypes;

type Code = (typeof TableError)[keyof typeof TableError];

/** What a refused write to a table is called on bmv2. */
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
