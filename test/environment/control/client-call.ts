import { Metadata, status as Status } from '@grpc/grpc-js';
import type { StatusObject } from '@grpc/grpc-js';
import type {
  Call,
  InterceptingListener,
  MessageContext,
  PartialStatusObject,
} from '@grpc/grpc-js/build/src/call-interface';
import type { CallEnd, Wire } from './wire';

/** Messages that a client has not asked for yet and the server may have sent already. */
export const WINDOW = 8;

/** The server's end of a call, as the client's call uses it. */
export interface ServerEnd extends CallEnd {
  /** The client has taken so many more messages. */
  taken(count: number): void;
}

/** The client's end of a call, as gRPC's client library drives it; messages are bytes. */
export class ClientCall implements Call, CallEnd {
  readonly #wire: Wire;
  readonly #server: (client: CallEnd) => ServerEnd | undefined;
  readonly #deadline: number;
  #end: ServerEnd | undefined;
  #listener: InterceptingListener | undefined;
  #leave: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #wanted = 0;
  #waiting: Buffer[] = [];
  #status: StatusObject | undefined;
  #isOver = false;

  /** @param server makes the other end; undefined when nobody listens. */
  constructor(
    wire: Wire,
    server: (client: CallEnd) => ServerEnd | undefined,
    deadline: Date | number,
  ) {
    this.#wire = wire;
    this.#server = server;
    this.#deadline = Number(deadline);
  }

  start(metadata: Metadata, listener: InterceptingListener): void {
    this.#listener = listener;
    // A server hears nothing of a call on a connection that it has refused.
    this.#end = this.#wire.isOpen ? this.#server(this) : undefined;
    if (this.#end === undefined) {
      setImmediate(() => this.#fail(Status.UNAVAILABLE, 'ECONNREFUSED: nobody listens'));
      return;
    }
    const end = this.#end;
    this.#leave = this.#wire.enter('client', this);
    if (this.#deadline < Infinity) {
      const ms = Math.max(0, this.#deadline - Date.now());
      this.#timer = setTimeout(() => {
        this.cancelWithStatus(Status.DEADLINE_EXCEEDED, 'Deadline exceeded');
      }, ms);
    }
    this.#wire.send('server', () => end.opened(metadata));
  }

  sendMessageWithContext(context: MessageContext, message: Buffer): void {
    const end = this.#end;
    if (!this.#isOver && end !== undefined) {
      this.#wire.send('server', () => end.received(message));
    }
    setImmediate(() => context.callback?.(null));
  }

  startRead(): void {
    this.#wanted += 1;
    this.#handOver();
  }

  halfClose(): void {
    const end = this.#end;
    if (end !== undefined) this.#wire.send('server', () => end.halfClosed());
  }

  cancelWithStatus(code: Status, details: string): void {
    const end = this.#end;
    if (this.#isOver) return;
    if (end !== undefined) this.#wire.send('server', () => end.ended({ code, details }));
    this.#fail(code, details);
  }

  opened(metadata: Metadata): void {
    this.#listener?.onReceiveMetadata(metadata);
  }

  received(message: Buffer): void {
    this.#waiting.push(message);
    this.#handOver();
  }

  halfClosed(): void {
    // Servers end calls by a status.
  }

  /** The status comes after all messages that the server has sent before it. */
  ended({ code, details, metadata }: PartialStatusObject): void {
    this.#status ??= { code, details, metadata: metadata ?? new Metadata() };
    if (code === Status.UNAVAILABLE) this.#waiting = [];
    this.#handOver();
  }

  getPeer(): string {
    return 'simulated';
  }

  getCallNumber(): number {
    return 0;
  }

  setCredentials(): void {
    // Connections of the simulation have none.
  }

  getAuthContext(): null {
    return null;
  }

  #handOver(): void {
    if (this.#isOver) return;
    if (this.#wire.isStalled) {
      const { machine, stalledForNs } = this.#wire;
      machine.interruptIn(stalledForNs + 1, () => machine.taskIn(0, () => this.#handOver()));
      return;
    }
    while (this.#wanted > 0 && this.#waiting.length > 0) {
      const message = this.#waiting.shift() as Buffer;
      this.#wanted -= 1;
      const end = this.#end;
      this.#wire.send('server', () => end?.taken(1));
      this.#listener?.onReceiveMessage(message);
      if (this.#over()) return;
    }
    const status = this.#status;
    if (status !== undefined && this.#waiting.length === 0) this.#finish(status);
  }

  /** Whoever is handed a message may have cancelled the call. */
  #over(): boolean {
    return this.#isOver;
  }

  #fail(code: Status, details: string): void {
    this.#finish({ code, details, metadata: new Metadata() });
  }

  #finish(status: StatusObject): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#leave?.();
    this.#listener?.onReceiveStatus(status);
  }
}
