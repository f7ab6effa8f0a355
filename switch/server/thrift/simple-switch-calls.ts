import type Int64 from 'node-int64';
import { StateError } from '../../control/table-control';
import { simpleSwitchTypes } from '../../../common/thrift/generated-code';
import { fromInt64, int64 } from './int64';
import type { ServiceCalls } from './service-calls';
import type { CloneSession, QueueSelection } from '../../control/packet-control';
import type { ThriftTarget } from './target';

const { MirroringError, MirroringFailure, MirroringTarget } = simpleSwitchTypes;

const DONE = 0;
const REFUSED = 1;
const NO_PORT = -1;

/** A mirroring session on the wire; Thrift leaves null for absent fields. */
interface MirroringTargetMessage {
  readonly port?: number | null;
  readonly multicastGroup?: number | null;
}

export function simpleSwitchCalls(target: ThriftTarget): ServiceCalls {
  return {
    ...queueCalls(target),
    ...mirroringCalls(target),
    ...olderMirroringCalls(target),
    get_time_elapsed_us: (): Int64 => int64(target.elapsedMicroseconds()),
    get_time_since_epoch_us: (): Int64 => int64(target.epochMicroseconds()),
  };
}

function queueCalls(target: ThriftTarget): ServiceCalls {
  const { queues } = target;
  const change = (selection: QueueSelection, value: number, set: () => void): number => {
    if (value < 0 || !target.hasQueue(selection)) return REFUSED;
    set();
    return DONE;
  };
  const depth = (selection: QueueSelection, packets: number): number =>
    change(selection, packets, () => queues.setDepth(packets, selection));
  const rate = (selection: QueueSelection, packetsPerSecond: Int64): number => {
    const value = Number(fromInt64(packetsPerSecond));
    return change(selection, value, () => queues.setRate(value, selection));
  };
  return {
    set_egress_queue_depth: (port: number, packets: number) => depth({ port }, packets),
    set_egress_priority_queue_depth: (port: number, priority: number, packets: number) =>
      depth({ port, priority }, packets),
    set_all_egress_queue_depths: (packets: number) => depth({}, packets),
    set_egress_queue_rate: (port: number, value: Int64) => rate({ port }, value),
    set_egress_priority_queue_rate: (port: number, priority: number, value: Int64) =>
      rate({ port, priority }, value),
    set_all_egress_queue_rates: (value: Int64) => rate({}, value),
  };
}

function mirroringCalls(target: ThriftTarget): ServiceCalls {
  const { cloneSessions } = target;
  return {
    mirroring_session_add: (id: number, message: MirroringTargetMessage): void => {
      if (!hasSet(target, id, message)) throw unknownSession();
    },
    mirroring_session_delete: (id: number): void => {
      if (cloneSessions.session(id) === undefined) throw unknownSession();
      cloneSessions.deleteSession(id);
    },
    mirroring_session_get: (id: number): MirroringTargetMessage => {
      const session = cloneSessions.session(id);
      if (session === undefined) throw unknownSession();
      const { multicastGroup } = session;
      const port = session.replicas[0]?.port;
      return new MirroringTarget({
        ...(port === undefined ? {} : { port }),
        ...(multicastGroup === undefined ? {} : { multicastGroup }),
      });
    },
  };
}

function olderMirroringCalls(target: ThriftTarget): ServiceCalls {
  const { cloneSessions } = target;
  return {
    mirroring_mapping_add: (id: number, port: number): number =>
      hasSet(target, id, { port }) ? DONE : REFUSED,
    mirroring_mapping_delete: (id: number): number => {
      if (cloneSessions.session(id) === undefined) return REFUSED;
      cloneSessions.deleteSession(id);
      return DONE;
    },
    mirroring_mapping_get_egress_port: (id: number): number =>
      cloneSessions.session(id)?.replicas[0]?.port ?? NO_PORT,
  };
}

/** Sets a session; true if there is a session of that number. */
function hasSet(
  { cloneSessions }: ThriftTarget,
  id: number,
  message: MirroringTargetMessage,
): boolean {
  try {
    cloneSessions.setSession(id, sessionFrom(message));
    return true;
  } catch (error) {
    if (error instanceof StateError) return false;
    throw error;
  }
}

function sessionFrom({ port, multicastGroup }: MirroringTargetMessage): CloneSession {
  return {
    replicas: typeof port === 'number' ? [{ port, instance: 0 }] : [],
    ...(typeof multicastGroup === 'number' ? { multicastGroup } : {}),
    packetLengthMax: undefined,
  };
}

function unknownSession(): InstanceType<typeof MirroringFailure> {
  return new MirroringFailure({ code: MirroringError.UNKNOWN_SESSION });
}
