import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { Replica, ReplicaPort } from '../../entities/replication';
import { decodePort, encodePort } from '../values/port';

/** The message of one copy of a packet, with its backups. @throws InputError beginning with `what`. */
export function encodeReplica({ port, instance, backups = [] }: Replica, what: string): p4.Replica {
  const backupReplicas = backups.map((each) => {
    const bytes = encodePort(each.port, `${what}, backup`);
    return new p4.BackupReplica({ port: bytes, instance: checkedInstance(each, what) });
  });
  const message = new p4.Replica({ instance: checkedInstance({ port, instance }, what) });
  if (backupReplicas.length > 0) message.backupReplicas = backupReplicas;
  const bytes = encodePort(port, what);
  // bmv2 takes port 0 in the older form only, where it is the default value.
  if (port === 0) older(message).egressPort = 0;
  else message.port = bytes;
  return message;
}

/** A copy that a switch has sent. @throws InputError beginning with `what`. */
export function decodeReplica(message: p4.Replica, what: string): Replica {
  const port = message.hasPort ? decodePort(message.port, what) : older(message).egressPort;
  const backups = message.backupReplicas.map((each) => {
    return { port: decodePort(each.port, `${what}, backup`), instance: each.instance };
  });
  return { port, instance: message.instance, ...(backups.length > 0 && { backups }) };
}

/** The form of the port before P4Runtime 1.4, which servers go on taking. */
function older(message: p4.Replica): { egressPort: number } {
  return message;
}

function checkedInstance({ port, instance }: ReplicaPort, what: string): number {
  if (Number.isInteger(instance) && instance >= 0 && instance < 2 ** 32) return instance;
  throw new InputError(`${what}, port ${port}: wanted an instance from 0, found ${instance}`);
}
