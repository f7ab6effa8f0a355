import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { InputError } from '../../common/errors';
import { quietGrpc } from '../../common/p4runtime/io/quiet-grpc';
import { channelOptions, compressionGuard } from './limits/channel-options';
import type { Limits } from './limits/limits';

/** What is served, and where. */
export interface ServedCalls {
  readonly definition: ServiceDefinition;
  readonly calls: UntypedServiceImplementation;
  /** Such as "127.0.0.1:0" for a free port. */
  readonly address: string;
  readonly limits: Limits;
  /** Without credentials connections are plain. */
  readonly credentials?: ServerCredentials;
}

export interface Listening {
  readonly port: number;
  /** Ends all calls and takes no more. */
  readonly stop: () => void;
}

/** Lets calls come in. @throws InputError when the address cannot be used. */
export type Listen = (served: ServedCalls) => Promise<Listening>;

/** gRPC over TCP. */
export const listenOverTcp: Listen = async (served) => {
  const { definition, calls, address, limits } = served;
  quietGrpc();
  const server = new Server({
    ...channelOptions(limits),
    interceptors: [compressionGuard(limits)],
  });
  server.addService(definition, calls);
  const port = await bind(
    server,
    address,
    served.credentials ?? ServerCredentials.createInsecure(),
  );
  return { port, stop: () => server.forceShutdown() };
};

function bind(server: Server, address: string, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => {
      if (error === null) resolve(port);
      else reject(new InputError(`P4Runtime cannot listen on ${address}: ${error.message}`));
    });
  });
}
