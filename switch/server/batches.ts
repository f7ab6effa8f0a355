import { RpcError } from '../../common/p4runtime/codes';
import { electionIdFrom } from '../../common/p4runtime/election-id';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { deviceOf } from './device';
import type { Device, Devices } from './device';
import { asBmv2ReadsIt } from './entities/lenient-entity';
import { readEntity } from './entities/read-entity';
import { applyUpdate } from './entities/write-entity';
import { asRpcError, BatchError } from './errors/status';
import { idOfEntity, inScope } from './roles/role-scope';
import type { Role } from './roles/roles';

/** Entities per response message, so that none nears the 4 MB that receivers allow. */
const CHUNK = 256;

/**
 * Read (P4Runtime 1.5.0, chapter "Read RPC"): all requests see the state at one point in time.
 * @param send takes each response message.
 * @throws RpcError when nothing was attempted, BatchError when some request was refused; the
 * entities of the others have been sent by then.
 */
export function handleRead(
  devices: Devices,
  request: p4.ReadRequest,
  send: (response: p4.ReadResponse) => void,
): void {
  const device = deviceOf(devices, request.deviceId);
  const { scope } = device.roles.find(request.role);
  const running = device.requirePipeline();
  const found: p4.Entity[] = [];
  const outcomes = request.entities.map((filter) =>
    attempt(() => {
      for (const entity of readEntity(running, understood(device, filter))) {
        if (inScope(scope, idOfEntity(entity))) found.push(entity);
      }
    }),
  );
  for (let i = 0; i < found.length; i += CHUNK) {
    send(new p4.ReadResponse({ entities: found.slice(i, i + CHUNK) }));
  }
  requireAll('read', outcomes);
}

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
  const outcomes = request.updates.map((update) =>
    attempt(() => {
      const entity = update.hasEntity ? update.entity : new p4.Entity({});
      requireScope(role, entity);
      applyUpdate(running, update.type, understood(device, entity));
    }),
  );
  requireAll('write', outcomes);
  return new p4.WriteResponse({});
}

/** The entity by the rules that the device follows. */
function understood(device: Device, entity: p4.Entity): p4.Entity {
  if (device.compatible === 'specification') return entity;
  return asBmv2ReadsIt(device.requirePipeline().info, entity);
}

function requireScope({ name, scope }: Role, entity: p4.Entity): void {
  if (inScope(scope, idOfEntity(entity))) return;
  const reason = `the role '${name}' does not cover this ${entity.entity}`;
  throw new RpcError('PERMISSION_DENIED', reason);
}

/** Why one element of a batch was refused; undefined when it was not. */
function attempt(act: () => void): RpcError | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return asRpcError(error);
  }
}

function requireAll(what: 'read' | 'write', outcomes: readonly (RpcError | undefined)[]): void {
  if (outcomes.some((each) => each !== undefined)) throw new BatchError(what, outcomes);
}
