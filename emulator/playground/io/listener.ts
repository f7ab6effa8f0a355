/** Stands for `switch/server/listener` in the playground's bundle: calls come from this realm alone. */
import type { Listen } from '../../../switch/server/listener';
import { Server, ServerCredentials } from './grpc';

/** Listens in this realm; there are no connections to bound. */
export const listenOverTcp: Listen = ({ definition, calls, address }) => {
  const server = new Server();
  server.addService(definition as never, calls as never);
  return new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) => {
      if (error !== null) reject(error);
      else resolve({ port, stop: () => stopped(server) });
    });
  });
};

function stopped(server: Server): Promise<void> {
  server.forceShutdown();
  return Promise.resolve();
}
