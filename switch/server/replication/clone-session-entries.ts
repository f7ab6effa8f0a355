import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { CloneSession } from '../../control/packet-control';
import { decodeReplicas, encodeReplicas } from './replicas';
import { applyNumbered } from './replication';
import type { Replication } from './replication';
import { requirePart } from '../errors/update-rules';
import type { UpdateType } from '../errors/update-rules';

/** Sessions have 15 bits in v1model. */
const SESSION_MAX = 0x7fff;

/** Applies one update to a clone session (P4Runtime 1.5.0, "CloneSessionEntry"). @throws RpcError */
export function writeCloneSession(
  replication: Replication,
  type: UpdateType,
  entry: p4.CloneSessionEntry,
): void {
  const id = entry.sessionId;
  const where = `clone session ${id}`;
  if (id < 1 || id > SESSION_MAX) throw invalid(`${where}: wanted 1 to ${SESSION_MAX}`);
  const control = requirePart(replication.control.cloneSessions, 'clone sessions');
  applyNumbered(replication.sessions, {
    type,
    id,
    entry,
    where,
    set: () => control.setSession(id, decodeSession(entry, where)),
    remove: () => control.deleteSession(id),
  });
}

/** The session with the filter's number, or all for number 0. */
export function readCloneSessions(
  replication: Replication,
  filter: p4.CloneSessionEntry,
): p4.CloneSessionEntry[] {
  return [...replication.sessions.values()]
    .filter(({ sessionId }) => filter.sessionId === 0 || filter.sessionId === sessionId)
    .map(({ sessionId, replicas, classOfService, packetLengthBytes }) => {
      const found = encodeReplicas(replicas);
      return new p4.CloneSessionEntry({
        sessionId,
        replicas: found,
        classOfService,
        packetLengthBytes,
      });
    });
}

function decodeSession(entry: p4.CloneSessionEntry, where: string): CloneSession {
  const length = entry.packetLengthBytes;
  if (length < 0) throw invalid(`${where}: packet_length_bytes ${length} is negative`);
  if (entry.classOfService !== 0) {
    throw new RpcError('UNIMPLEMENTED', `${where}: classes of service are not supported`);
  }
  const replicas = decodeReplicas(entry.replicas, where);
  return { replicas, packetLengthMax: length === 0 ? undefined : length };
}

function invalid(reason: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', reason);
}
