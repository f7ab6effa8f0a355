import type { ChannelCredentials, ChannelInterface } from '@grpc/grpc-js';
import * as path from 'node:path';
import { InputError } from '../../common/errors';
import type { SwitchSpec } from '../document/network';
import { P4RuntimeClient } from '../p4runtime/client';
import type { ClientOptions } from '../p4runtime/client';
import { readClientCredentials } from '../p4runtime/session/tls';

export interface ConnectOptions {
  /** Highest of those that ask, unless another controller is there already. */
  readonly electionId: bigint;
  /** Time limit of each connection and call, in ms. */
  readonly deadline: number;
  /** Folder at which relative names of certificate files begin. */
  readonly folder: string;
  /** Makes the channel to an address, instead of a connection over TCP. */
  readonly channel?: (address: string) => ChannelInterface;
}

/**
 * Options of the client for a switch of a document. Its certificates are read anew for each connection.
 * @throws InputError naming a switch without address.
 */
export function clientOptions(
  { node, tls }: SwitchSpec,
  { electionId, deadline, folder, channel }: ConnectOptions,
): ClientOptions {
  const { name } = node;
  const address = requireAddress(node);
  const deviceId = BigInt(node.deviceId);
  const credentials = tls && (() => credentialsOf(tls, folder));
  return {
    name,
    address,
    deviceId,
    electionId,
    deadline,
    ...(credentials && { credentials }),
    ...(channel && { channel: () => channel(address) }),
  };
}

/** Returns the address of a switch's P4Runtime server. @throws InputError naming one without address. */
export function requireAddress({ name, grpcAddress }: SwitchSpec['node']): string {
  if (grpcAddress !== undefined) return grpcAddress;
  throw new InputError(`switch ${name}: the document gives no P4Runtime address`);
}

/** Connects to a switch, without any claim to it. @throws InputError naming the switch. */
export async function connectTo(
  spec: SwitchSpec,
  options: ConnectOptions,
): Promise<P4RuntimeClient> {
  return P4RuntimeClient.connect(clientOptions(spec, options));
}

/** Connects to a switch as its primary. @throws InputError, NotPrimaryError when another one is. */
export async function connectAsPrimary(
  spec: SwitchSpec,
  options: ConnectOptions,
): Promise<P4RuntimeClient> {
  const client = await connectTo(spec, options);
  try {
    await client.becomePrimary();
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/**
 * Reads the credentials for a switch, anew at each call. @throws InputError naming a file that cannot be
 * read.
 */
export function credentialsOf(
  tls: NonNullable<SwitchSpec['tls']>,
  folder: string,
): ChannelCredentials {
  const at = (name: string): string => path.resolve(folder, name);
  return readClientCredentials({
    authority: at(tls.ca),
    ...(tls.cert !== undefined && { certificate: at(tls.cert) }),
    ...(tls.key !== undefined && { key: at(tls.key) }),
  });
}
