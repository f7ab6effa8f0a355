import { connectivityState, Metadata } from '@grpc/grpc-js';
import type { ChannelInterface as Channel } from '@grpc/grpc-js';
import type { Call, InterceptingListener } from '@grpc/grpc-js/build/src/call-interface';
import { InputError } from '../../../common/errors';
import type { Listen, ServiceOptions } from '../../../switch/server/listener';
import type { Faults } from '../kernel/faults';
import { NS_PER_MS } from '../kernel/machine';
import type { Machine } from '../kernel/machine';
import type { Process } from '../kernel/process';
import type { Trace } from '../kernel/trace';
import { ClientCall } from './client-call';
import type { ServerEnd } from './client-call';
import { ServerCall } from './server-call';
import type { Handler } from './server-call';
import { Wire } from './wire';
import type { CallEnd } from './wire';

/** A server gives an answer to its probe of a connection so long, in ms. */
const PROBE_MS = 20_000;
/** After a refused attempt to connect, in ms. */
const AGAIN_MS = 100;
const CONNECT_MS = 1;
const MS_PER_SECOND = 1000;
const STREAM = '/p4.v1.P4Runtime/StreamChannel';
/** Time for which a stranger stays, in ns. */
const GONE_NS = 5e6;
const DEAF: InterceptingListener = {
  onReceiveMetadata: () => undefined,
  onReceiveMessage: () => undefined,
  onReceiveStatus: () => undefined,
};

interface Server {
  readonly served: ServiceOptions;
  readonly process: Process | undefined;
  readonly calls: Set<ServerCall>;
  readonly wires: Set<Wire>;
}

/** Connections of controllers to switches, without sockets: messages travel as bytes in virtual time. */
export class ControlNetwork {
  readonly #servers = new Map<string, Server>();

  constructor(
    readonly machine: Machine,
    readonly faults: Faults,
    private readonly trace: Trace,
  ) {}

  /** Calls that a server holds for clients that are there. */
  callsAt(address: string): readonly string[] {
    const calls = [...(this.#servers.get(address)?.calls ?? [])];
    const open = calls.filter(({ isOver, isAbandoned }) => !isOver && !isAbandoned);
    return open.map(({ name }) => name);
  }

  readonly listen: Listen = (served) => {
    const { address } = served;
    if (this.#servers.has(address)) throw new InputError(`${address} is in use`);
    const { process } = this.machine;
    const server: Server = { served, process, calls: new Set(), wires: new Set() };
    this.#servers.set(address, server);
    return Promise.resolve({
      port: Number(address.split(':')[1]),
      stop: () => {
        this.#servers.delete(address);
        for (const call of server.calls) call.ended();
        for (const wire of server.wires) wire.lose('the server has ended');
        return Promise.resolve();
      },
    });
  };

  /** A channel of gRPC's client library to a server. */
  readonly channel = (who: string, address: string): Channel =>
    new ControlChannel(address, {
      connect: () => this.#connect(who, address),
      call: (wire, method, deadline) =>
        new ClientCall(wire, (client) => this.#answer({ wire, address, method, client }), deadline),
    });

  /** Somebody who opens a stream, says something perhaps, and is gone without a word. */
  stranger(address: string, message: Uint8Array | undefined): void {
    const wire = this.#connect('stranger', address);
    const answer = (client: CallEnd): ServerEnd | undefined =>
      this.#answer({ wire, address, method: STREAM, client });
    const call = new ClientCall(wire, answer, Infinity);
    call.start(new Metadata(), DEAF);
    if (message !== undefined) call.sendMessageWithContext({}, Buffer.from(message));
    this.machine.interruptIn(GONE_NS, () => wire.halve());
  }

  #connect(who: string, address: string): Wire {
    const server = this.#servers.get(address);
    const seconds = server?.served.limits.of('keepalive-seconds') ?? 0;
    const probes = seconds * MS_PER_SECOND + PROBE_MS;
    const ends = { server: server?.process, client: this.machine.process };
    const wire = new Wire(this, ends, probes * NS_PER_MS, (what) =>
      this.trace.note(`${who} - ${address}`, what),
    );
    if (server === undefined || this.faults.strikes('connection-lost', 0.5)) wire.lose('refused');
    else server.wires.add(wire);
    return wire;
  }

  #answer(asked: {
    readonly wire: Wire;
    readonly address: string;
    readonly method: string;
    readonly client: CallEnd;
  }): ServerEnd | undefined {
    const server = this.#servers.get(asked.address);
    if (server === undefined) return undefined;
    const { definition, calls } = server.served;
    const [name, method] = Object.entries(definition).find(
      ([, { path }]) => path === asked.method,
    ) ?? ['', undefined];
    const handler = calls[name] as Handler | undefined;
    if (method === undefined || handler === undefined) return undefined;
    this.trace.note(asked.address, name);
    const call = new ServerCall(asked.wire, asked.client, method, handler);
    for (const each of server.calls) if (each.isOver) server.calls.delete(each);
    server.calls.add(call);
    return call;
  }
}

interface Reach {
  readonly connect: () => Wire;
  readonly call: (wire: Wire, method: string, deadline: Date | number) => Call;
}

type Watcher = (error?: Error) => void;

/** One connection at a time, made again when it is lost. */
class ControlChannel implements Channel {
  readonly #address: string;
  readonly #reach: Reach;
  readonly #watchers = new Set<Watcher>();
  #wire: Wire | undefined;
  #isClosed = false;
  #attempt: NodeJS.Timeout | undefined;

  constructor(address: string, reach: Reach) {
    this.#address = address;
    this.#reach = reach;
  }

  getTarget(): string {
    return this.#address;
  }

  getConnectivityState(tryToConnect: boolean): connectivityState {
    if (this.#isClosed) throw new Error('Channel has been shut down');
    if (this.#wire?.isOpen === true) return connectivityState.READY;
    if (tryToConnect) this.#attempt ??= setTimeout(() => this.#connect(), CONNECT_MS);
    return connectivityState.CONNECTING;
  }

  watchConnectivityState(
    _current: connectivityState,
    deadline: Date | number,
    callback: Watcher,
  ): void {
    if (this.#isClosed) throw new Error('Channel has been shut down');
    const timer = setTimeout(
      () => {
        this.#watchers.delete(changed);
        callback(new Error('Deadline passed without connectivity state change'));
      },
      Math.max(0, Number(deadline) - Date.now()),
    );
    const changed: Watcher = () => {
      clearTimeout(timer);
      callback();
    };
    this.#watchers.add(changed);
  }

  createCall(method: string, deadline: Date | number): Call {
    if (this.#isClosed) throw new Error('Channel has been shut down');
    this.#wire ??= this.#reach.connect();
    return this.#reach.call(this.#wire, method, deadline);
  }

  getChannelzRef(): ReturnType<Channel['getChannelzRef']> {
    throw new Error('the simulation has no channelz');
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#attempt);
    this.#changed();
    const wire = this.#wire;
    // Calls that were cancelled before reach the server still.
    if (wire !== undefined) setTimeout(() => wire.lose('the controller has left'), AGAIN_MS);
  }

  #connect(): void {
    this.#attempt = undefined;
    this.#wire = this.#reach.connect();
    if (this.#wire.isOpen) this.#changed();
    else this.#attempt = setTimeout(() => this.#connect(), AGAIN_MS);
  }

  #changed(): void {
    for (const each of [...this.#watchers]) {
      this.#watchers.delete(each);
      each();
    }
  }
}
