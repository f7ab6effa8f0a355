import type { EventEmitter } from 'node:events';
import { Metadata, status as Status } from '@grpc/grpc-js';
import type { ServiceDefinition } from '@grpc/grpc-js';
import type { PartialStatusObject } from '@grpc/grpc-js/build/src/call-interface';
import {
  ServerDuplexStreamImpl,
  serverErrorToStatus,
  ServerUnaryCallImpl,
  ServerWritableStreamImpl,
} from '@grpc/grpc-js/build/src/server-call';
import type { sendUnaryData } from '@grpc/grpc-js/build/src/server-call';
import type { ServerInterceptingCallInterface } from '@grpc/grpc-js/build/src/server-interceptors';
import { WINDOW } from './client-call';
import type { ServerEnd } from './client-call';
import type { CallEnd, Wire } from './wire';

type Method = ServiceDefinition[string];
type Surface = ServerUnaryCallImpl<unknown, unknown> | Streams;
type Streams =
  | ServerWritableStreamImpl<unknown, unknown>
  | ServerDuplexStreamImpl<unknown, unknown>;

/** Handler of a service for a call. */
export type Handler = (call: unknown, answer?: sendUnaryData<unknown>) => void;

/** The part of gRPC's server that its own calls and streams are made on. */
type Sending = Pick<ServerInterceptingCallInterface, 'sendMessage' | 'sendStatus' | 'startRead'>;

/** The server's end of a call, with the calls and streams of gRPC's server library. */
export class ServerCall implements ServerEnd, Sending {
  readonly #wire: Wire;
  readonly #client: CallEnd;
  readonly #method: Method;
  readonly #handler: Handler;
  readonly #leave: () => void;
  #surface: Surface | undefined;
  #metadata = new Metadata();
  #request: Buffer | undefined;
  /** Messages that the client has not taken, and who waits until it does. */
  #untaken = 0;
  readonly #blocked: (() => void)[] = [];
  #isOver = false;

  constructor(wire: Wire, client: CallEnd, method: Method, handler: Handler) {
    this.#wire = wire;
    this.#client = client;
    this.#method = method;
    this.#handler = handler;
    this.#leave = wire.enter('server', this);
  }

  get name(): string {
    return this.#method.path.replace(/.*\//, '');
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The client has gone without a word. */
  get isAbandoned(): boolean {
    return this.#wire.isHalfOpen;
  }

  opened(metadata: Metadata): void {
    this.#metadata = metadata;
    if (!this.#method.requestStream) return;
    const stream = new ServerDuplexStreamImpl(this.#method.path, this.#sending(), metadata);
    this.#surface = stream;
    this.#handler(stream);
  }

  received(message: Buffer): void {
    if (this.#isOver) return;
    if (this.#surface instanceof ServerDuplexStreamImpl) {
      this.#surface.push(this.#method.requestDeserialize(message));
    } else this.#request = message;
  }

  halfClosed(): void {
    if (this.#isOver) return;
    if (this.#surface instanceof ServerDuplexStreamImpl) this.#surface.push(null);
    else if (this.#request !== undefined) this.#begin(this.#request);
  }

  taken(count: number): void {
    this.#untaken -= count;
    while (this.#untaken < WINDOW && this.#blocked.length > 0) this.#blocked.shift()?.();
  }

  /** The client or the connection has gone. */
  ended(): void {
    if (this.#isOver) return;
    this.#finish();
    const surface = this.#surface;
    if (surface === undefined) return;
    surface.cancelled = true;
    (surface as EventEmitter).emit('cancelled', 'cancelled');
    if (!(surface instanceof ServerUnaryCallImpl)) surface.destroy();
  }

  startRead(): void {
    // Messages that arrive are handed over at once.
  }

  sendMessage(message: unknown, done: () => void): void {
    if (this.#isOver) {
      done();
      return;
    }
    const bytes = this.#method.responseSerialize(message);
    this.#wire.send('client', () => this.#client.received(bytes));
    this.#untaken += 1;
    if (this.#untaken < WINDOW) setImmediate(done);
    else this.#blocked.push(done);
  }

  sendStatus(status: PartialStatusObject): void {
    if (this.#isOver) return;
    this.#finish();
    this.#wire.send('client', () => this.#client.ended(status));
  }

  #begin(request: Buffer): void {
    const { path, requestDeserialize, responseStream } = this.#method;
    const parts = [path, this.#sending(), this.#metadata, requestDeserialize(request)] as const;
    const surface = responseStream
      ? new ServerWritableStreamImpl<unknown, unknown>(...parts)
      : new ServerUnaryCallImpl<unknown, unknown>(...parts);
    this.#surface = surface;
    this.#handler(surface, (error, value, trailer) => {
      if (error !== null) {
        this.sendStatus(serverErrorToStatus(error, trailer));
        return;
      }
      this.sendMessage(value, () => undefined);
      this.sendStatus({ code: Status.OK, details: 'OK', metadata: trailer ?? null });
    });
  }

  #finish(): void {
    this.#isOver = true;
    this.#leave();
    for (const done of this.#blocked.splice(0)) done();
  }

  #sending = (): ServerInterceptingCallInterface =>
    this as Sending as unknown as ServerInterceptingCallInterface;
}
