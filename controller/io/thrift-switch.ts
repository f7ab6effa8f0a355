import type { Socket } from 'node:net';
import Int64 from 'node-int64';
import * as thrift from 'thrift';
import { InputError } from '../../common/errors';
import { SimpleSwitch, Standard } from '../../common/thrift/generated-code';
import { describeQueue } from '../plan/describe-plan';
import type { QueueSetting } from '../intent/queues';

/** The part of the package that its type declarations leave out. */
interface Connecting {
  createConnection(host: string, port: number, options: object): Connection;
}

interface Connection {
  readonly connection: Socket;
  on(event: 'error' | 'close', listener: (error?: Error) => void): void;
  once(event: 'connect', listener: () => void): void;
  end(): void;
}

type Multiplexing = new () => {
  createClient(name: string, service: unknown, to: Connection): unknown;
};

/** The calls of `simple_switch` that a controller needs. */
interface QueueCalls {
  set_egress_queue_depth(port: number, packets: number): Promise<number>;
  set_egress_priority_queue_depth(port: number, queue: number, packets: number): Promise<number>;
  set_egress_queue_rate(port: number, rate: Int64): Promise<number>;
  set_egress_priority_queue_rate(port: number, queue: number, rate: Int64): Promise<number>;
  get_time_elapsed_us(): Promise<Int64>;
  get_time_since_epoch_us(): Promise<Int64>;
}

interface StandardCalls {
  bm_register_read_all(context: number, register: string): Promise<readonly Int64[]>;
  bm_dev_mgr_show_ports(): Promise<readonly { readonly port: number; readonly isUp: boolean }[]>;
}

export interface ThriftAddress {
  /** Name of the switch, for messages. */
  readonly name: string;
  readonly address: string;
  /** Time limit of the connection and of each call, in ms. */
  readonly deadline: number;
}

/** Calls of bmv2 and the embedded switch over Thrift for what P4Runtime does not define. */
export class ThriftSwitch {
  private readonly queues: QueueCalls;
  private readonly standard: StandardCalls;
  private broken: InputError | undefined;
  private readonly waiting = new Set<(error: InputError) => void>();

  private constructor(
    private readonly connection: Connection,
    private readonly at: ThriftAddress,
  ) {
    const { Multiplexer } = thrift as unknown as { Multiplexer: Multiplexing };
    const multiplexer = new Multiplexer();
    const client = (name: string, service: unknown): unknown =>
      multiplexer.createClient(name, service, connection);
    this.queues = client('simple_switch', SimpleSwitch) as QueueCalls;
    this.standard = client('standard', Standard) as StandardCalls;
    connection.on('error', (error) => this.breakOff(reasonOf(error)));
    connection.on('close', () => this.breakOff('the connection was closed'));
  }

  /** @throws InputError naming switch and address when nobody answers. */
  static async connect(at: ThriftAddress): Promise<ThriftSwitch> {
    const colon = at.address.lastIndexOf(':');
    const options = { transport: thrift.TBufferedTransport, protocol: thrift.TBinaryProtocol };
    const connection = (thrift as unknown as Connecting).createConnection(
      at.address.slice(0, colon).replace(/^\[|\]$/g, ''),
      Number(at.address.slice(colon + 1)),
      options,
    );
    const found = new ThriftSwitch(connection, at);
    const connected = new Promise<void>((resolve) => connection.once('connect', resolve));
    await found.inTime('connecting', connected);
    return found;
  }

  /** @throws InputError when the switch refuses or does not answer. */
  async setQueue(setting: QueueSetting): Promise<void> {
    const { port, priority, packetsPerSecond, depthPackets } = setting;
    const { queues } = this;
    if (packetsPerSecond !== undefined) {
      const rate = new Int64(packetsPerSecond);
      const done =
        priority === undefined
          ? queues.set_egress_queue_rate(port, rate)
          : queues.set_egress_priority_queue_rate(port, priority, rate);
      this.accepted(setting, await this.inTime('setting a queue rate', done));
    }
    if (depthPackets !== undefined) {
      const done =
        priority === undefined
          ? queues.set_egress_queue_depth(port, depthPackets)
          : queues.set_egress_priority_queue_depth(port, priority, depthPackets);
      this.accepted(setting, await this.inTime('setting a queue depth', done));
    }
  }

  /**
   * Reads the start of the switch, in microseconds since the epoch: another value than before means that it
   * has forgotten its settings.
   */
  async startedAt(): Promise<number> {
    const { queues } = this;
    const now = await this.inTime('reading the clock', queues.get_time_since_epoch_us());
    const elapsed = await this.inTime('reading the clock', queues.get_time_elapsed_us());
    return Number(now) - Number(elapsed);
  }

  /** Ports that have an interface without a link. */
  async portsDown(): Promise<ReadonlySet<number>> {
    const ports = await this.inTime('listing ports', this.standard.bm_dev_mgr_show_ports());
    return new Set(ports.filter(({ isUp }) => !isUp).map(({ port }) => port));
  }

  /** All cells of a register, by its full name. */
  async readRegister(name: string): Promise<readonly bigint[]> {
    const values = this.standard.bm_register_read_all(0, name);
    const found = await this.inTime(`reading register ${name}`, values);
    return found.map((each) => each.toBuffer().readBigUInt64BE());
  }

  close(): void {
    this.broken ??= this.failure('the connection was closed');
    this.connection.end();
  }

  private accepted(setting: QueueSetting, answer: number): void {
    if (answer === 0) return;
    throw this.failure(`${describeQueue(setting)}: refused; are there such a port and priority?`);
  }

  private breakOff(reason: string): void {
    this.broken ??= this.failure(reason);
    for (const fail of this.waiting) fail(this.broken);
    this.waiting.clear();
  }

  private failure(reason: string): InputError {
    return new InputError(`switch ${this.at.name}, Thrift at ${this.at.address}: ${reason}`);
  }

  /** A call of the library never ends when its connection breaks, so it needs a companion. */
  private inTime<T>(what: string, answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.broken !== undefined) {
        reject(this.broken);
        return;
      }
      const { deadline } = this.at;
      const timer = setTimeout(() => {
        this.waiting.delete(fail);
        const error = this.failure(`${what}: no answer within ${deadline / 1000} s`);
        reject(error);
        this.connection.connection.destroy();
      }, deadline);
      const fail = (error: InputError): void => {
        clearTimeout(timer);
        reject(error);
      };
      this.waiting.add(fail);
      const settle = (done: () => void): void => {
        this.waiting.delete(fail);
        clearTimeout(timer);
        done();
      };
      answer.then(
        (value) => settle(() => resolve(value)),
        (error: unknown) => settle(() => reject(this.failure(`${what}: ${reasonOf(error)}`))),
      );
    });
  }
}

function reasonOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  if (code === 'ECONNREFUSED') return 'connection refused';
  return error instanceof Error ? error.message : 'the connection broke';
}
