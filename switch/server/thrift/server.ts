import * as net from 'node:net';
import type { Server, Socket } from 'node:net';
import * as thrift from 'thrift';
import { InputError } from '../../../common/errors';
import { Limits } from '../limits/limits';
import { Connections } from './connections';
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

interface Processor {
  registerProcessor(name: string, processor: object): void;
  process(input: thrift.TProtocol, output: thrift.TProtocol): void;
}

/** The parts of the package that its type declarations leave out. */
interface Undeclared {
  MultiplexedProcessor: new () => Processor;
  readonly TBufferedTransport: {
    receiver(take: (transport: thrift.TTransport) => void): (data: Buffer) => void;
  };
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

export interface ThriftOptions {
  /** The address to listen at; the loopback unless given. */
  readonly host?: string;
  /** The usual ones unless given. */
  readonly limits?: Limits;
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
  { host = '127.0.0.1', limits = new Limits() }: ThriftOptions = {},
): Promise<ThriftServer> {
  const listening = { port };
  const services = processor(target, () => listening.port);
  const connections = new Connections(limits, (message, socket) => {
    answer(services, message, socket);
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

/** Answers one call. @throws what the call or its message is refused with. */
function answer(services: Processor, message: Uint8Array, socket: Socket): void {
  const { TBufferedTransport } = thrift as unknown as Undeclared;
  const outgoing = new thrift.TBufferedTransport(undefined, (bytes) => {
    if (bytes !== undefined && socket.writable) socket.write(bytes);
  });
  const receive = TBufferedTransport.receiver((incoming) => {
    services.process(new StrictProtocol(incoming), new StrictProtocol(outgoing));
  });
  receive(Buffer.from(message));
}

function processor(target: ThriftTarget, thriftPort: () => number): Processor {
  const { MultiplexedProcessor } = thrift as unknown as Undeclared;
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

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new InputError(`Thrift cannot listen on port ${port} of ${host}: ${error.message}`));
    });
    server.listen(port, host, () => {
      // A peer that breaks off or speaks another protocol is its own problem.
      server.on('error', () => undefined);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
