import { RpcError } from '../../../common/p4runtime/codes';
import type * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { RoleScope } from '../../../common/p4runtime/role-config';

/** Whether the role may write to the object of P4Info; undefined is a role without limits. */
export function inScope(scope: RoleScope | undefined, id: number | undefined): boolean {
  if (scope === undefined) return true;
  if (id === undefined) return false;
  return scope.exclusiveIds.has(id) || scope.sharedIds.has(id);
}

/**
 * Two roles may not both own an object. @throws RpcError INVALID_ARGUMENT naming it.
 * @param others the configurations of the device's other roles, by name.
 */
export function refuseOverlap(
  scope: RoleScope,
  others: ReadonlyMap<string, RoleScope | undefined>,
): void {
  for (const [role, other] of others) {
    if (other === undefined) continue;
    const taken = [...scope.exclusiveIds].find((id) => inScope(other, id));
    const wanted = taken ?? [...scope.sharedIds].find((id) => other.exclusiveIds.has(id));
    if (wanted === undefined) continue;
    throw new RpcError('INVALID_ARGUMENT', `role config: role '${role}' already has ${wanted}`);
  }
}

/** The object of P4Info that an entity belongs to; undefined for one that belongs to none. */
export function idOfEntity(entity: p4.Entity): number | undefined {
  if (entity.hasTableEntry) return entity.tableEntry.tableId;
  if (entity.hasActionProfileMember) return entity.actionProfileMember.actionProfileId;
  if (entity.hasActionProfileGroup) return entity.actionProfileGroup.actionProfileId;
  if (entity.hasMeterEntry) return entity.meterEntry.meterId;
  if (entity.hasDirectMeterEntry) return tableOf(entity.directMeterEntry);
  if (entity.hasCounterEntry) return entity.counterEntry.counterId;
  if (entity.hasDirectCounterEntry) return tableOf(entity.directCounterEntry);
  if (entity.hasValueSetEntry) return entity.valueSetEntry.valueSetId;
  if (entity.hasRegisterEntry) return entity.registerEntry.registerId;
  return entity.hasDigestEntry ? entity.digestEntry.digestId : undefined;
}

function tableOf(entry: p4.DirectMeterEntry | p4.DirectCounterEntry): number {
  return entry.hasTableEntry ? entry.tableEntry.tableId : 0;
}
