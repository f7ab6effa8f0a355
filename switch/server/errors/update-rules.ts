import { wordsOf } from '../../../common/p4runtime/bytestring';
import type { Words } from '../../../common/p4runtime/bytestring';
import { RpcError } from '../../../common/p4runtime/codes';
import type { Entity } from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { RpcCodeName } from '../../../common/p4runtime/rpc-code';
import { StateError } from '../../control/table-control';
import type { StateErrorCode } from '../../control/table-control';

/** Effect of an update on its entity. */
export type UpdateType = 'insert' | 'modify' | 'delete';

/** Objects that a program declares can be modified only. @throws RpcError INVALID_ARGUMENT */
export function requireModify(type: UpdateType, where: string): void {
  if (type === 'modify') return;
  throw new RpcError('INVALID_ARGUMENT', `${where}: it can only be modified, not ${type}d`);
}

/**
 * Checks that an entity exists, or for an insert does not. @throws RpcError ALREADY_EXISTS or
 * NOT_FOUND
 */
export function requireState(type: UpdateType, exists: boolean, where: string): void {
  if (type === 'insert' && exists) throw new RpcError('ALREADY_EXISTS', `${where} already exists`);
  if (type !== 'insert' && !exists) throw new RpcError('NOT_FOUND', `${where} does not exist`);
}

/** A part that a switch may lack. @throws RpcError UNIMPLEMENTED */
export function requirePart<T>(part: T | undefined, what: string): T {
  if (part !== undefined) return part;
  throw new RpcError('UNIMPLEMENTED', `this switch has no ${what}`);
}

/** The refusal of an entity that is unset or that this switch does not offer. */
export function unsupportedEntity({ entity }: Entity, verb: 'read' | 'write'): RpcError {
  if (entity === 'none') return new RpcError('INVALID_ARGUMENT', `a ${verb} wants an entity`);
  return new RpcError('UNIMPLEMENTED', `this switch cannot ${verb} a ${entity}`);
}

const CODES: Readonly<Record<StateErrorCode, RpcCodeName>> = {
  'already-exists': 'ALREADY_EXISTS',
  'not-found': 'NOT_FOUND',
  exhausted: 'RESOURCE_EXHAUSTED',
  invalid: 'INVALID_ARGUMENT',
  'permission-denied': 'PERMISSION_DENIED',
};

/** Runs a write to the switch's state; a refusal becomes an RpcError that says where. */
export function inState<T>(where: Words, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw refusalOfState(where, error);
  }
}

/** The error of {@link inState}, where a closure costs too much. */
export function refusalOfState(where: Words, error: unknown): unknown {
  if (!(error instanceof StateError)) return error;
  // State objects name themselves; `where` does too, and says more.
  const reason = error.message.replace(/^(table|action profile) '[^']*': /, '');
  return new RpcError(CODES[error.code], `${wordsOf(where)}: ${reason}`);
}
