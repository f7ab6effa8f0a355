/**
 * gRPC inside one JavaScript realm, in place of `@grpc/grpc-js` where there are no sockets: the playground's
 * bundle takes this module for that package. Messages are serialised and parsed as over a connection, so that
 * controller and switches exchange nothing but P4Runtime's bytes. It has what they use of the package: unary
 * calls, answers in parts, streams in both directions, cancelling, status with trailers. Deadlines are not
 * kept, since both ends are on one thread, and no flow control, since neither can be slower than the other.
 */
import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { RPC_CODE } from '../../../common/p4runtime/rpc-code';

/** Codes of gRPC's statuses, by name. */
export { RPC_CODE as status };

export const logVerbosity = { NONE: 3 } as const;

/** Does nothing: this module logs nothing. */
export const setLogVerbosity = (): void => undefined;

/** Credentials of a client; there is no connection that they could protect. */
export const credentials = { createInsecure: () => ({}) };

/** Credentials of a server, which has no connection either. */
export const ServerCredentials = { createInsecure: () => ({}) };

type MetadataValue = string | Uint8Array;

/** Headers or trailers of a call. */
export class Metadata {
  readonly #values = new Map<string, MetadataValue[]>();

  set(key: string, value: MetadataValue): void {
    this.#values.set(key, [value]);
  }

  get(key: string): MetadataValue[] {
    return this.#values.get(key) ?? [];
  }
}

interface MethodDefinition {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (message: unknown) => Uint8Array;
  readonly requestDeserialize: (bytes: Uint8Array) => unknown;
  readonly responseSerialize: (message: unknown) => Uint8Array;
  readonly responseDeserialize: (bytes: Uint8Array) => unknown;
}

type Definition = Readonly<Record<string, MethodDefinition>>;
type Answer = (error: Failure | null, response?: unknown) => void;
type Handler = (call: unknown, answer?: Answer) => void;
type Handlers = Readonly<Record<string, Handler | undefined>>;

/** The status of a call that failed. */
interface Failure extends Error {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;
}

const failure = (code: number, details: string): Failure =>
  Object.assign(new Error(details), { code, details, metadata: new Metadata() });

/** A method with its handler. */
interface Served {
  readonly method: MethodDefinition;
  readonly handler: Handler;
}

/** Servers of this realm, by port, each with its methods by their paths. */
const SERVERS = new Map<number, ReadonlyMap<string, Served>>();
const FIRST_PORT = 1;

const portOf = (address: string): number => Number(address.slice(address.lastIndexOf(':') + 1));

/** Serves what is added to it, at a port of this realm. */
export class Server {
  readonly #methods = new Map<string, Served>();
  #port: number | undefined;

  addService(definition: Definition, handlers: Handlers): void {
    for (const [name, method] of Object.entries(definition)) {
      const handler = handlers[name];
      if (handler !== undefined) this.#methods.set(method.path, { method, handler });
    }
  }

  /** Listens at a port, or at a free one for port 0. */
  bindAsync(
    address: string,
    _credentials: unknown,
    done: (error: Error | null, port: number) => void,
  ): void {
    const wanted = portOf(address);
    if (SERVERS.has(wanted)) {
      done(new Error(`${address} is in use`), 0);
      return;
    }
    this.#port = wanted === 0 ? freePort() : wanted;
    SERVERS.set(this.#port, this.#methods);
    done(null, this.#port);
  }

  /** Takes no more calls. */
  forceShutdown(): void {
    if (this.#port !== undefined) SERVERS.delete(this.#port);
  }
}

function freePort(): number {
  let port = FIRST_PORT;
  while (SERVERS.has(port)) port++;
  return port;
}

/** Lets tasks run in the order in which they are given, each in a turn of its own. */
class Lane {
  #last: Promise<unknown> = Promise.resolve();

  next(task: () => void): void {
    this.#last = this.#last.then(() => setImmediate()).then(task);
  }
}

/** One call, as both ends share it. */
class Call {
  readonly client = new ClientCall(this);
  readonly server: ServerCall;
  readonly #toServer = new Lane();
  readonly #toClient = new Lane();
  #isOver = false;

  constructor(
    readonly method: MethodDefinition,
    readonly served: Served | undefined,
    private readonly answered?: Answer,
  ) {
    this.server = new ServerCall(this);
    if (served === undefined) {
      this.end(failure(RPC_CODE.UNAVAILABLE, 'ECONNREFUSED: nobody listens'));
    }
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** A message of the client. */
  request(bytes: Uint8Array): void {
    const { served } = this;
    if (served === undefined) return;
    this.#toServer.next(() => {
      if (this.#isOver) return;
      const message = served.method.requestDeserialize(bytes);
      if (served.method.requestStream) this.server.emit('data', message);
      else this.server.begin(message);
    });
  }

  /** Begins a call whose client sends a stream. */
  open(): void {
    this.#toServer.next(() => {
      if (!this.#isOver) this.served?.handler(this.server);
    });
  }

  /** The client sends no more. */
  halfClose(): void {
    this.#toServer.next(() => {
      if (!this.#isOver && this.method.requestStream) this.server.emit('end');
    });
  }

  /** A message of the server. */
  respond(message: unknown): void {
    const { served } = this;
    if (this.#isOver || served === undefined) return;
    const bytes = served.method.responseSerialize(message);
    this.#toClient.next(() => this.client.received(this.method.responseDeserialize(bytes)));
  }

  /** The server's last word: a failure, or null. */
  end(error: Failure | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#toClient.next(() => this.client.ended(error));
  }

  /** The client leaves. */
  cancel(): void {
    if (this.#isOver) return;
    this.end(failure(RPC_CODE.CANCELLED, 'Cancelled on client'));
    this.server.cancelled = true;
    this.#toServer.next(() => this.server.emit('cancelled'));
  }

  /** Hands the answer of a unary call to its callback. */
  answer(error: Failure | null, response: unknown): void {
    this.answered?.(error, response);
  }
}

/** The client's end of a call: an emitter of `data`, `error`, `status` and `end`, or an iterable. */
class ClientCall extends EventEmitter {
  readonly #received: unknown[] = [];
  #failure: Failure | null | undefined;
  #wake: (() => void) | undefined;

  constructor(private readonly call: Call) {
    super();
  }

  write(message: unknown, done?: (error?: Error | null) => void): boolean {
    this.call.request(this.call.method.requestSerialize(message));
    if (done !== undefined) void setImmediate().then(() => done());
    return true;
  }

  end(): void {
    this.call.halfClose();
  }

  cancel(): void {
    this.call.cancel();
  }

  received(message: unknown): void {
    if (this.listenerCount('data') > 0) this.emit('data', message);
    else this.#received.push(message);
    this.#wake?.();
  }

  ended(error: Failure | null): void {
    this.#failure = error;
    this.call.answer(error, this.#received[0]);
    if (error !== null && this.listenerCount('error') > 0) this.emit('error', error);
    const { code, details, metadata } = error ?? failure(RPC_CODE.OK, '');
    this.emit('status', { code, details, metadata });
    this.emit('end');
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator {
    for (;;) {
      while (this.#received.length > 0) yield this.#received.shift();
      if (this.#failure === null) return;
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** The server's end of a call: an emitter of `data`, `end` and `cancelled`; an `error` is its RPC_CODE. */
class ServerCall extends EventEmitter {
  cancelled = false;
  request: unknown;
  readonly metadata = new Metadata();

  constructor(private readonly call: Call) {
    super();
    this.on('error', (error: Failure) => call.end(error));
  }

  begin(request: unknown): void {
    this.request = request;
    const { served } = this.call;
    if (served === undefined) return;
    if (served.method.responseStream) served.handler(this);
    else served.handler(this, (error, response) => this.#answer(error, response));
  }

  write(message: unknown, done?: () => void): boolean {
    this.call.respond(message);
    if (done !== undefined) void setImmediate().then(done);
    return true;
  }

  end(): void {
    this.call.end(null);
  }

  getPeer(): string {
    return 'this realm';
  }

  #answer(error: Failure | null, response: unknown): void {
    if (error === null) this.call.respond(response);
    this.call.end(error);
  }
}

type Deserialize = (bytes: Uint8Array) => unknown;
type Serialize = (message: never) => Uint8Array;

type Unary = readonly [
  path: string,
  requestSerialize: Serialize,
  responseDeserialize: Deserialize,
  message: unknown,
  ...rest: unknown[],
];

/** Makes calls to the server at an address of this realm. */
class Client {
  readonly #port: number;

  constructor(address: string) {
    this.#port = portOf(address);
  }

  waitForReady(_deadline: unknown, done: (error?: Error) => void): void {
    const isThere = SERVERS.has(this.#port);
    void setImmediate().then(() => (isThere ? done() : done(new Error('nobody listens'))));
  }

  close(): void {
    // There is no connection.
  }

  /** @param given path, codec and message, metadata and options, which have no effect, and the callback. */
  makeUnaryRequest(...given: readonly unknown[]): ClientCall {
    const [path, requestSerialize, responseDeserialize, message, ...rest] = given as Unary;
    const answered = rest.find((each): each is Answer => typeof each === 'function');
    const call = this.#call(path, { requestSerialize, responseDeserialize }, answered);
    call.request(call.method.requestSerialize(message));
    return call.client;
  }

  makeServerStreamRequest(
    path: string,
    requestSerialize: Serialize,
    responseDeserialize: Deserialize,
    message: unknown,
  ): ClientCall {
    const call = this.#call(path, { requestSerialize, responseDeserialize });
    call.request(call.method.requestSerialize(message));
    return call.client;
  }

  makeBidiStreamRequest(
    path: string,
    requestSerialize: Serialize,
    responseDeserialize: Deserialize,
  ): ClientCall {
    const call = this.#call(path, { requestSerialize, responseDeserialize });
    call.open();
    return call.client;
  }

  #call(
    path: string,
    codec: { readonly requestSerialize: Serialize; readonly responseDeserialize: Deserialize },
    answered?: Answer,
  ): Call {
    const served = SERVERS.get(this.#port)?.get(path);
    const method = { ...(served?.method ?? {}), ...codec } as MethodDefinition;
    return new Call(method, served, answered);
  }
}

type Method = (this: Client, ...given: unknown[]) => ClientCall;

/** The class of clients of a service: {@link Client} with one method per call. */
export function makeGenericClientConstructor(definition: Definition): typeof Client {
  class ServiceClient extends Client {}
  for (const [name, method] of Object.entries(definition)) {
    Object.defineProperty(ServiceClient.prototype, name, { value: methodOf(method) });
  }
  return ServiceClient;
}

function methodOf(method: MethodDefinition): Method {
  const { path, requestSerialize, responseDeserialize, requestStream, responseStream } = method;
  const codec = [path, requestSerialize, responseDeserialize] as const;
  if (requestStream) {
    return function open() {
      return this.makeBidiStreamRequest(...codec);
    };
  }
  if (responseStream) {
    return function read(message) {
      return this.makeServerStreamRequest(...codec, message);
    };
  }
  return function ask(message, ...rest) {
    return this.makeUnaryRequest(...codec, message, ...rest);
  };
}
