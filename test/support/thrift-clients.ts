import * as thrift from 'thrift';
import { SimplePreLag, SimpleSwitch, Standard } from '../../common/thrift/generated-code';

/** The part of the package that its type declarations leave out. */
interface Connecting {
  createConnection(host: string, port: number, options: object): Connection;
}

interface Connection {
  end(): void;
  on(event: string, listener: () => void): void;
}

interface Multiplexer {
  createClient<T>(
    name: string,
    service: { Client: new (...args: never[]) => T },
    to: Connection,
  ): T;
}

/** Clients of the three services over one connection, as bmv2's command line opens them. */
export function connectThrift(port: number) {
  const options = { transport: thrift.TBufferedTransport, protocol: thrift.TBinaryProtocol };
  const connection = (thrift as unknown as Connecting).createConnection('127.0.0.1', port, options);
  // A connection that breaks shows in the calls that wait for an answer.
  connection.on('error', () => undefined);
  const { Multiplexer } = thrift as unknown as { Multiplexer: new () => Multiplexer };
  const multiplexer = new Multiplexer();
  return {
    standard: multiplexer.createClient('standard', Standard, connection),
    multicast: multiplexer.createClient('simple_pre_lag', SimplePreLag, connection),
    simpleSwitch: multiplexer.createClient('simple_switch', SimpleSwitch, connection),
    close: () => connection.end(),
  };
}

export type ThriftClients = ReturnType<typeof connectThrift>;
