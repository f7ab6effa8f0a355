import { RpcError } from '../../common/p4runtime/codes';
import { electionIdFrom } from '../../common/p4runtime/election-id';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { deviceOf } from './device';
import type { Devices } from './device';
import type { RunningPipeline } from './state/running-pipeline';
import { idOfEntity, inScope } from './roles/role-config';
import type { Role } from './roles/roles';
import { BatchError } from './errors/status';
import { applyUpdate } from './entities/write-entity';

/**
 * Write (P4Runtime 1.5.0, chapter "Write RPC"): every update is attempted, in order, and those that
 * succeed stay.
 * @throws RpcError when nothing was attempted, BatchError when some update was refused.
 */
export function handleWrite(devices: Devices, request: p4.WriteRequest): p4.WriteResponse {
  const device = deviceOf(devices, request.deviceId);
  const role = device.requirePrimary(request.role, electionIdFrom(request.electionId));
  const running = device.requirePipeline();
  if (request.atomicity !== p4.WriteRequestAtomicity.CONTINUE_ON_ERROR) {
    throw new RpcError('UNIMPLEMENTED', 'only CONTINUE_ON_ERROR is supported');
  }
  const outcomes = request.updates.map((update) => attempt(running, role, update));
  if (outcomes.some((each) => each !== undefined)) throw new BatchError('write', outcomes);
  return new p4.WriteResponse({});
}

function attempt(running: RunningPipeline, role: Role, update: p4.Update): RpcError | undefined {
  try {
    const entity = update.hasEntity ? update.entity : new p4.Entity({});
    if (!inScope(role.scope, idOfEntity(entity))) {
      const reason = `the role '${role.name}' does not cover this ${entity.entity}`;
      throw new RpcError('PERMISSION_DENIED', reason);
    }
    applyUpdate(running, update.type, entity);
    return undefined;
  } catch (error) {
    if (error instanceof RpcError) return error;
    const reason = error instanceof Error ? error.message : String(error);
    return new RpcError('INTERNAL', reason);
  }
}
