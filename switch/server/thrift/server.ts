import type { Server, Socket } from 'node:net';
import * as thrift from 'thrift';
import { InputError } from '../../../common/errors';
import { counterCalls, registerCalls } from './array-calls';
import { deviceCalls } from './device-calls';
import { directTableCalls } from './direct-table-calls';
import { entryResourceCalls } from './entry-resource-calls';
import { SimplePreLag, SimpleSwitch, Standard } from '../../../common/thrift/io/generated-code';
import { hashCalls } from './hash-calls';
import { indirectTableCalls } from './indirect-table-calls';
import { meterCalls } from './meter-calls';
import { multicastCalls } from './multicast-calls';
import { profileCalls } from './profile-calls';
import { asHandler } from './service-calls';
import { simpleSwitchCalls } from './simple-switch-calls';
import { tableReadCalls } from './table-read-calls';
import { valueSetCalls } from './value-set-calls';
import type { ThriftTarget } from './target';

export interface ThriftServer {
  readonly port: number;
  /** Ends all connections and stops listening. */
  stop(): Promise<void>;
}

/** The part of the package that its type declarations leave out. */
interface Multiplexing {
  MultiplexedProcessor: new () => {
    registerProcessor(name: string, processor: object): void;
  };
  readonly createMultiplexServer: (processor: object, options: object) => Server;
}

/**
 * The binary protocol with its version in front. Without one, the first four bytes would be a
 * length, and whoever speaks another protocol would be waited for instead of sent away.
 */
class StrictProtocol extends thrift.TBinaryProtocol {
  constructor(transport: thrift.TTransport) {
    super(transport, true, true);
  }
}

/**
 * Serves bmv2's three Thrift services on one port: binary protocol, buffered transport, names in
 * front of the methods.
 * @param port 0 for a free one.
 * @throws InputError when the port cannot be used.
 */
export async function startThriftServer(target: ThriftTarget, port: number): Promise<ThriftServer> {
  const { createMultiplexServer } = thrift as unknown as Multiplexing;
  const listening = { port };
  const server = createMultiplexServer(
    processor(target, () => listening.port),
    { transport: thrift.TBufferedTransport, protocol: StrictProtocol },
  );
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  listening.port = await listen(server, port);
  return {
    port: listening.port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function processor(target: ThriftTarget, thriftPort: () => number): object {
  const { MultiplexedProcessor } = thrift as unknown as Multiplexing;
  const multiplexed = new MultiplexedProcessor();
  const standard = {
    ...directTableCalls(target),
    ...indirectTableCalls(target),
    ...profileCalls(target),
    ...tableReadCalls(target),
    ...entryResourceCalls(target),
    ...registerCalls(target),
    ...counterCalls(target),
    ...meterCalls(target),
    ...valueSetCalls(target),
    ...hashCalls(target),
    ...deviceCalls(target, thriftPort),
  };
  const lag = multicastCalls(target);
  const simpleSwitch = simpleSwitchCalls(target);
  multiplexed.registerProcessor('standard', new Standard.Processor(asHandler(standard)));
  multiplexed.registerProcessor('simple_pre_lag', new SimplePreLag.Processor(asHandler(lag)));
  multiplexed.registerProcessor(
    'simple_switch',
    new SimpleSwitch.Processor(asHandler(simpleSwitch)),
  );
  return multiplexed;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new InputError(`Thrift cannot listen on port ${port}: ${error.message}`));
    });
    server.listen(port, () => {
      // A peer that breaks off or speaks another protocol is its own problem.
      server.on('error', () => undefined);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
