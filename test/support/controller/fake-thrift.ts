import type { AddressInfo, Server, Socket } from 'node:net';
import Int64 from 'node-int64';
import * as thrift from 'thrift';
import { SimpleSwitch, Standard, standardTypes } from '../../../common/thrift/generated-code';

/** The part of the package that its type declarations leave out. */
interface Serving {
  readonly MultiplexedProcessor: new () => {
    registerProcessor(name: string, processor: object): void;
  };
  readonly createMultiplexServer: (processor: object, options: object) => Server;
}

interface Code {
  readonly Processor: new (handler: object) => object;
}

/** A Thrift server of bmv2's kind that notes what it is told and says what a test wants. */
export class FakeThrift {
  readonly calls: string[] = [];
  readonly portsDown = new Set<number>();
  /** Answer of calls about queues; others than 0 refuse. */
  answer = 0;
  /** Microseconds since the epoch. */
  startedAt = 1_700_000_000_000_000;
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;

  get address(): string {
    return `127.0.0.1:${(this.server?.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    const { createMultiplexServer, MultiplexedProcessor } = thrift as unknown as Serving;
    const code = { SimpleSwitch, Standard } as unknown as Record<'SimpleSwitch' | 'Standard', Code>;
    const processor = new MultiplexedProcessor();
    processor.registerProcessor(
      'simple_switch',
      new code.SimpleSwitch.Processor(this.queueCalls()),
    );
    processor.registerProcessor('standard', new code.Standard.Processor(this.portCalls()));
    const options = { transport: thrift.TBufferedTransport, protocol: thrift.TBinaryProtocol };
    const server = createMultiplexServer(processor, options);
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server?.close(() => resolve());
      for (const socket of this.sockets) socket.destroy();
    });
  }

  private queueCalls(): object {
    const note = (text: string): Promise<number> => {
      this.calls.push(text);
      return Promise.resolve(this.answer);
    };
    return {
      set_egress_queue_depth: (port: number, packets: number) => note(`depth ${port} ${packets}`),
      set_egress_priority_queue_depth: (port: number, priority: number, packets: number) =>
        note(`depth ${port}/${priority} ${packets}`),
      set_egress_queue_rate: (port: number, rate: Int64) => note(`rate ${port} ${Number(rate)}`),
      set_egress_priority_queue_rate: (port: number, priority: number, rate: Int64) =>
        note(`rate ${port}/${priority} ${Number(rate)}`),
      get_time_elapsed_us: () => Promise.resolve(new Int64(5)),
      get_time_since_epoch_us: () => Promise.resolve(new Int64(this.startedAt + 5)),
    };
  }

  private portCalls(): object {
    const { PortStatus } = portTypes();
    const status = (port: number): object =>
      new PortStatus({ port, interfaceName: `eth${port}`, isUp: !this.portsDown.has(port) });
    return {
      bm_dev_mgr_show_ports: () => Promise.resolve([1, 2, 3, 4].map(status)),
      bm_register_read_all: (_context: number, name: string) =>
        Promise.resolve(name === 'egress.tx_bytes' ? [new Int64(1), new Int64(-1)] : []),
    };
  }
}

interface PortTypes {
  readonly PortStatus: new (fields: object) => object;
}

/** The messages stand in a module of their own beside the service. */
function portTypes(): PortTypes {
  return standardTypes as unknown as PortTypes;
}
