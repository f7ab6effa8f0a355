import type Int64 from 'node-int64';
import { simpleSwitchTypes } from './generated-code';
import { fromInt64, int64 } from './int64';
import type { ServiceCalls } from './service-calls';
import type { MirroringSession, QueueAccess, ThriftTarget } from './target';

const { MirroringError, MirroringFailure, MirroringTarget } = simpleSwitchTypes;

const DONE = 0;
const REFUSED = 1;
const NO_PORT = -1;

/** What a session says on the wire; Thrift leaves null where nothing was given. */
interface MirroringTargetMessage {
  readonly port?: number | null;
  readonly multicastGroup?: number | null;
}

export function simpleSwitchCalls(target: ThriftTarget): ServiceCalls {
  return {
    ...queueCalls(target.queues),
    ...mirroringCalls(target),
    ...olderMirroringCalls(target),
    get_time_elapsed_us: (): Int64 => int64(target.elapsedMicroseconds()),
    get_time_since_epoch_us: (): Int64 => int64(target.epochMicroseconds()),
  };
}

const status = (done: boolean): number => (done ? DONE : REFUSED);

function queueCalls(queues: QueueAccess): ServiceCalls {
  return {
    set_egress_queue_depth: (port: number, packets: number) =>
      status(queues.setDepth({ port }, packets)),
    set_egress_priority_queue_depth: (port: number, priority: number, packets: number) =>
      status(queues.setDepth({ port, priority }, packets)),
    set_all_egress_queue_depths: (packets: number) => status(queues.setDepth({}, packets)),
    set_egress_queue_rate: (port: number, rate: Int64) =>
      status(queues.setRate({ port }, fromInt64(rate))),
    set_egress_priority_queue_rate: (port: number, priority: number, rate: Int64) =>
      status(queues.setRate({ port, priority }, fromInt64(rate))),
    set_all_egress_queue_rates: (rate: Int64) => status(queues.setRate({}, fromInt64(rate))),
  };
}

function mirroringCalls({ mirroring }: ThriftTarget): ServiceCalls {
  return {
    mirroring_session_add: (session: number, message: MirroringTargetMessage): void =>
      mirroring.set(session, sessionFrom(message)),
    mirroring_session_delete: (session: number): void => {
      if (!mirroring.delete(session)) throw unknownSession();
    },
    mirroring_session_get: (session: number): MirroringTargetMessage => {
      const found = mirroring.get(session);
      if (found === undefined) throw unknownSession();
      const { port, multicastGroup } = found;
      return new MirroringTarget({
        ...(port === undefined ? {} : { port }),
        ...(multicastGroup === undefined ? {} : { multicastGroup }),
      });
    },
  };
}

function olderMirroringCalls({ mirroring }: ThriftTarget): ServiceCalls {
  return {
    mirroring_mapping_add: (session: number, port: number): number => {
      mirroring.set(session, { port });
      return DONE;
    },
    mirroring_mapping_delete: (session: number): number => status(mirroring.delete(session)),
    mirroring_mapping_get_egress_port: (session: number): number =>
      mirroring.get(session)?.port ?? NO_PORT,
  };
}

function sessionFrom({ port, multicastGroup }: MirroringTargetMessage): MirroringSession {
  return { port: port ?? undefined, multicastGroup: multicastGroup ?? undefined };
}

function unknownSession(): InstanceType<typeof MirroringFailure> {
  return new MirroringFailure({ code: MirroringError.UNKNOWN_SESSION });
}
