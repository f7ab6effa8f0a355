import { RpcError } from '../../../common/p4runtime/codes';
import type { RpcCodeName } from '../../../common/p4runtime/codes';
import { StateError } from '../../control/table-control';
import type { StateErrorCode } from '../../control/table-control';

const CODES: Readonly<Record<StateErrorCode, RpcCodeName>> = {
  'already-exists': 'ALREADY_EXISTS',
  'not-found': 'NOT_FOUND',
  exhausted: 'RESOURCE_EXHAUSTED',
  invalid: 'INVALID_ARGUMENT',
  'permission-denied': 'PERMISSION_DENIED',
};

/**
 * Runs a write to the switch's state; a refusal becomes an RpcError that says where.
 * @param where a function, where the words take longer than the write.
 */
export function inState<T>(where: string | (() => string), write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    // State objects name themselves; `where` does too, and says more.
    const reason = error.message.replace(/^(table|action profile) '[^']*': /, '');
    const place = typeof where === 'string' ? where : where();
    throw new RpcError(CODES[error.code], `${place}: ${reason}`);
  }
}
