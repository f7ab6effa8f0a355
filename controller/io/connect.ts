import type { ChannelCredentials } from '@grpc/grpc-js';
import * as path from 'node:path';
import { InputError } from '../../common/errors';
import type { SwitchSpec } from '../document/network';
import { P4RuntimeClient } from '../p4runtime/client';
import { NotPrimaryError } from '../p4runtime/session/errors';
import type { Standing } from '../p4runtime/session/stream-event';
import { readClientCredentials } from '../p4runtime/session/tls';

export interface ConnectOptions {
  /** Highest of those that ask, unless another controller is there already. */
  readonly electionId: bigint;
  /** How long to wait for each connection and call, in ms. */
  readonly deadline: number;
  /** Where relative names of certificate files begin. */
  readonly folder: string;
}

/** Connects to a switch, without any claim to it. @throws InputError naming the switch. */
export async function connectTo(
  { node, tls }: SwitchSpec,
  { electionId, deadline, folder }: ConnectOptions,
): Promise<P4RuntimeClient> {
  if (node.grpcAddress === undefined) {
    throw new InputError(`switch ${node.name}: the document gives no P4Runtime address`);
  }
  const credentials = tls === undefined ? undefined : credentialsOf(tls, folder);
  return P4RuntimeClient.connect({
    name: node.name,
    address: node.grpcAddress,
    deviceId: BigInt(node.deviceId),
    electionId,
    deadline,
    ...(credentials !== undefined && { credentials }),
  });
}

/** Connects to a switch as its primary. @throws InputError, NotPrimaryError when another one is. */
export async function connectAsPrimary(
  spec: SwitchSpec,
  options: ConnectOptions,
): Promise<P4RuntimeClient> {
  const client = await connectTo(spec, options);
  try {
    await takePrimary(client);
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Becomes primary, also where the former one has gone. @throws NotPrimaryError when one is there. */
export async function takePrimary(client: P4RuntimeClient): Promise<void> {
  const own = client.electionId;
  const standing = await succeed(client, await client.bid(), own);
  if (standing.kind === 'primary') return;
  const highest = standing.highest === undefined ? 'none' : String(standing.highest);
  const reason = `not primary: election id ${client.electionId} lost against ${highest}`;
  throw new NotPrimaryError(client.place, reason, 'PERMISSION_DENIED');
}

/**
 * Where the former primary has gone, a bid below its election id is not enough, so another one goes
 * above it by the own id: of several successors, the highest still wins.
 * @param own the election id that this controller was given, not that of its latest bid.
 * @returns the standing after that, or as it was when there is a primary.
 */
export async function succeed(
  client: P4RuntimeClient,
  standing: Standing,
  own: bigint,
): Promise<Standing> {
  if (standing.kind !== 'no-primary') return standing;
  return client.bid((standing.highest ?? 0n) + own);
}

function credentialsOf(tls: NonNullable<SwitchSpec['tls']>, folder: string): ChannelCredentials {
  const at = (name: string): string => path.resolve(folder, name);
  return readClientCredentials({
    authority: at(tls.ca),
    ...(tls.cert !== undefined && { certificate: at(tls.cert) }),
    ...(tls.key !== undefined && { key: at(tls.key) }),
  });
}
