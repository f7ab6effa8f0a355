import { RpcError } from '../../../common/p4runtime/codes';
import type { Entity } from '../../../common/p4runtime/generated/p4/v1/p4runtime';

/** The refusal of an entity that is unset or that this switch does not offer. */
export function unsupportedEntity({ entity }: Entity, verb: 'read' | 'write'): RpcError {
  if (entity === 'none') return new RpcError('INVALID_ARGUMENT', `a ${verb} wants an entity`);
  return new RpcError('UNIMPLEMENTED', `this switch cannot ${verb} a ${entity}`);
}

/** A part that a switch may lack. @throws RpcError UNIMPLEMENTED */
export function requirePart<T>(part: T | undefined, what: string): T {
  if (part !== undefined) return part;
  throw new RpcError('UNIMPLEMENTED', `this switch has no ${what}`);
}
