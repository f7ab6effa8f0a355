import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { CloneSession } from '../../entities/replication';
import { decodeReplica, encodeReplica } from './replica';

/** The message of a clone session. @throws InputError naming the session. */
export function encodeCloneSession(session: CloneSession): p4.PacketReplicationEngineEntry {
  const { sessionId, replicas, classOfService, packetLengthBytes } = session;
  const what = `clone session ${sessionId}`;
  if (!Number.isInteger(sessionId) || sessionId < 1 || sessionId >= 2 ** 32) {
    throw new InputError(`${what}: wanted a number from 1`);
  }
  if (!Number.isInteger(packetLengthBytes) || packetLengthBytes < 0) {
    throw new InputError(`${what}: wanted a packet length from 0, found ${packetLengthBytes}`);
  }
  const cloneSessionEntry = new p4.CloneSessionEntry({
    sessionId,
    replicas: replicas.map((each) => encodeReplica(each, what)),
    classOfService,
    packetLengthBytes,
  });
  return new p4.PacketReplicationEngineEntry({ cloneSessionEntry });
}

/** A session that a switch has sent. @throws InputError naming the session. */
export function decodeCloneSession(message: p4.CloneSessionEntry): CloneSession {
  const { sessionId, replicas, classOfService, packetLengthBytes } = message;
  const what = `clone session ${sessionId}`;
  return {
    kind: 'clone-session',
    sessionId,
    replicas: replicas.map((each) => decodeReplica(each, what)),
    classOfService,
    packetLengthBytes,
  };
}
