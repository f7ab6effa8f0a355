import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { encodeValue } from '../../../common/p4runtime/bytestring';
import type { Replica } from '../../control/packet-control';

type DecodedReplica = Required<Replica>;

/** Ports of v1model have 9 bits; the drop port is the last and cannot be sent to. */
const PORT_MAX = 511;
/** `egress_rid` has 16 bits. */
const INSTANCE_MAX = 0xffff;

/**
 * Reads the copies of a multicast group or clone session (P4Runtime 1.5.0, section
 * "MulticastGroupEntry"). @throws RpcError INVALID_ARGUMENT
 */
export function decodeReplicas(replicas: readonly p4.Replica[], where: string): DecodedReplica[] {
  const decoded = replicas.map((each) => decodeReplica(each, where));
  const seen = new Set<string>();
  for (const replica of decoded) {
    for (const { port, instance } of [replica, ...replica.backups]) {
      const pair = `port ${port}, instance ${instance}`;
      if (seen.has(pair)) throw invalid(`${where}: ${pair} is there twice`);
      seen.add(pair);
    }
  }
  return decoded;
}

/**
 * The messages of copies, as they were written.
 * @param written the messages themselves, whose form of the port is kept.
 */
export function encodeReplicas(written: readonly p4.Replica[]): p4.Replica[] {
  return written.map((replica) => {
    const { instance } = replica;
    const backupReplicas = replica.backupReplicas.map((backup) => {
      return new p4.BackupReplica({ port: canonical(backup.port), instance: backup.instance });
    });
    return replica.hasPort
      ? new p4.Replica({ port: canonical(replica.port), instance, backupReplicas })
      : new p4.Replica({ egressPort: olderPort(replica), instance, backupReplicas });
  });
}

/** The form of a port that the specification wants servers to go on taking. */
interface OlderPort {
  readonly hasEgressPort: boolean;
  readonly egressPort: number;
}

function olderPort({ egressPort }: OlderPort): number {
  return egressPort;
}

function decodeReplica(replica: p4.Replica, where: string): DecodedReplica {
  const port = replicaPort(replica, where);
  const backups = replica.backupReplicas.map((backup) => {
    const decoded = {
      port: decodePort(backup.port, where),
      instance: checkedInstance(backup.instance, where),
    };
    if (decoded.port !== port) return decoded;
    throw invalid(`${where}: port ${port} is its own backup`);
  });
  return { port, instance: checkedInstance(replica.instance, where), backups };
}

function replicaPort(replica: p4.Replica, where: string): number {
  if (replica.hasPort) return decodePort(replica.port, where);
  const older: OlderPort = replica;
  if (older.hasEgressPort) return checkedPort(BigInt(older.egressPort), where);
  throw invalid(`${where}: a replica wants a port`);
}

function decodePort(bytes: Uint8Array, where: string): number {
  if (bytes.length === 0) throw invalid(`${where}: a replica wants a port`);
  return checkedPort(BigInt(`0x${Buffer.from(bytes).toString('hex')}`), where);
}

function checkedPort(port: bigint, where: string): number {
  if (port < BigInt(PORT_MAX)) return Number(port);
  throw invalid(`${where}: wanted a port below ${PORT_MAX}, found ${port}`);
}

function checkedInstance(instance: number, where: string): number {
  if (instance <= INSTANCE_MAX) return instance;
  throw invalid(`${where}: wanted an instance up to ${INSTANCE_MAX}, found ${instance}`);
}

function canonical(port: Uint8Array): Uint8Array {
  return encodeValue(BigInt(`0x${Buffer.from(port).toString('hex')}`));
}

function invalid(reason: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', reason);
}
