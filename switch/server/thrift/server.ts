import * as net from 'node:net';
import type { Server } from 'node:net';
import { InputError } from '../../../common/errors';
import { Limits } from '../limits/limits';
import { Turns } from '../turns/turns';
import { Connections } from './stream/connections';
import type { ThriftServices } from './services';
import type { ThriftTarget } from './target';

export interface ThriftServer {
  readonly port: number;
  /** Ends all connections and stops listening. */
  stop(): Promise<void>;
}

export interface ThriftOptions {
  /** The address to listen at; the loopback unless given. */
  readonly host?: string;
  /** The usual ones unless given. */
  readonly limits?: Limits;
  /** Slices between which packets are forwarded; those of this server alone unless given. */
  readonly turns?: Turns;
}

/**
 * Serves bmv2's three Thrift services on one port: binary protocol, buffered transport, names in
 * front of the methods.
 * @param port 0 for a free one.
 * @throws InputError when the port cannot be used.
 */
export async function startThriftServer(
  target: ThriftTarget,
  port: number,
  { host = '127.0.0.1', limits = new Limits(), turns = new Turns() }: ThriftOptions = {},
): Promise<ThriftServer> {
  const listening = { port };
  let services: ThriftServices | undefined;
  const connections = new Connections(limits, turns, (message, socket) => {
    services ??= loadServices(target, () => listening.port);
    services.answer(message, (bytes) => {
      if (socket.writable) socket.write(bytes);
    });
  });
  const server = net.createServer({ allowHalfOpen: true }, (socket) => connections.add(socket));
  listening.port = await listen(server, host, port);
  return {
    port: listening.port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        connections.destroy();
      }),
  };
}

/** Loads and makes the services, with the first message. */
function loadServices(target: ThriftTarget, port: () => number): ThriftServices {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- PERF: a sixth of a switch's modules, and few have clients
  const { ThriftServices: Services } = require('./services') as typeof import('./services');
  return new Services(target, port);
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new InputError(`Thrift cannot listen on port ${port} of ${host}: ${error.message}`));
    });
    server.listen(port, host, () => {
      // A peer that disconnects or speaks another protocol is not an error of the server.
      server.on('error', () => undefined);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
