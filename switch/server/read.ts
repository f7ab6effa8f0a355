import { RpcError } from '../../common/p4runtime/codes';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { deviceOf } from './device';
import type { Devices } from './device';
import type { RunningPipeline } from './state/running-pipeline';
import { readEntity } from './entities/read-entity';
import { idOfEntity, inScope } from './roles/role-config';
import type { Role } from './roles/roles';
import { BatchError } from './errors/status';

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
  const role = device.roles.find(request.role);
  const running = device.requirePipeline();
  const found: p4.Entity[] = [];
  const outcomes = request.entities.map((filter) => attempt(running, role, filter, found));
  for (let i = 0; i < found.length; i += CHUNK) {
    send(new p4.ReadResponse({ entities: found.slice(i, i + CHUNK) }));
  }
  if (outcomes.some((each) => each !== undefined)) throw new BatchError('read', outcomes);
}

function attempt(
  running: RunningPipeline,
  role: Role,
  filter: p4.Entity,
  found: p4.Entity[],
): RpcError | undefined {
  try {
    for (const entity of readEntity(running, filter)) {
      if (inScope(role.scope, idOfEntity(entity))) found.push(entity);
    }
    return undefined;
  } catch (error) {
    if (error instanceof RpcError) return error;
    const reason = error instanceof Error ? error.message : String(error);
    return new RpcError('INTERNAL', reason);
  }
}
