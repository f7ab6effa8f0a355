import { EventEmitter } from 'node:events';
import { RPC_CODE } from '../../../common/p4runtime/rpc-code';
import type { RefusedCall } from '../errors/status';
import type { CarriedStatus, ToDoors } from './messages';
import { ownBytes } from './messages';

/** Answers that a client may leave untaken before the handler should wait, as many as gRPC's own streams have. */
const UNTAKEN_MAX = 16;

/** Serialising of the messages of a method. */
export interface MethodCodec {
  readonly requestDeserialize: (bytes: Buffer) => unknown;
  readonly responseSerialize: (message: unknown) => Uint8Array;
}

/**
 * A call whose connection another thread has. To its handler it is a call of gRPC's own server: it emits `data`, `end`,
 * `drain`, `cancelled` and `close`, and an `error` that it is made to emit is its status.
 */
export class CarriedCall extends EventEmitter {
  cancelled = false;
  /** The request of a call that has one. */
  request: unknown;
  #isOver = false;
  #version: number | undefined;
  #isFull = false;
  #untaken = 0;
  readonly #whenTaken: (() => void)[] = [];

  /** @param over called once, when nothing more is to be sent. */
  constructor(
    private readonly number: number,
    private readonly codec: MethodCodec,
    private readonly post: (message: ToDoors) => void,
    private readonly over: () => void,
  ) {
    super();
    this.on('error', (error: Partial<RefusedCall>) => this.#finish(statusOf(error)));
  }

  /** Answers that the client has not taken. */
  get writableLength(): number {
    return this.#untaken;
  }

  /** Sends an answer; false when the handler should wait for `drain`. */
  write(response: unknown, taken: () => void = () => undefined): boolean {
    if (this.#isOver) return false;
    const bytes = ownBytes(this.codec.responseSerialize(response));
    this.#untaken += 1;
    this.#whenTaken.push(taken);
    this.post({ kind: 'answer', call: this.number, bytes });
    this.#isFull = this.#untaken >= UNTAKEN_MAX;
    return !this.#isFull;
  }

  /**
   * Whoever asks the same may get the same answer while the state has this version.
   * @param version when the answer was begun.
   */
  keep(version: number): void {
    this.#version = version;
  }

  end(): void {
    this.#finish(undefined);
  }

  /** Ends a call with one answer, or with a refusal. */
  readonly answer = (error: Partial<RefusedCall> | null, response?: unknown): void => {
    if (error !== null) this.#finish(statusOf(error));
    else this.#finish(undefined, ownBytes(this.codec.responseSerialize(response)));
  };

  /** A request of a client that streams them. */
  receive(bytes: Uint8Array): void {
    if (this.#isOver) return;
    const request = this.decoded(bytes);
    if (request !== undefined) this.emit('data', request);
  }

  /** A message that the handler understands; otherwise the call is over, as by gRPC's own server. */
  decoded(bytes: Uint8Array): unknown {
    try {
      return this.codec.requestDeserialize(Buffer.from(bytes.buffer));
    } catch (error) {
      const details = `Error deserializing request: ${(error as Error).message}`;
      this.#finish({ code: RPC_CODE.INTERNAL, details, trailers: [] });
      this.emit('close');
      return undefined;
    }
  }

  taken(count: number): void {
    this.#untaken -= count;
    for (const taken of this.#whenTaken.splice(0, count)) taken();
    if (!this.#isFull || this.#untaken > UNTAKEN_MAX / 2) return;
    this.#isFull = false;
    this.emit('drain');
  }

  /** The client or its connection has gone, or the door is shut. */
  cancel(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.cancelled = true;
    this.over();
    this.emit('cancelled', 'cancelled');
    this.emit('close');
  }

  #finish(refusal: CarriedStatus | undefined, bytes?: Uint8Array): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const version = refusal === undefined ? this.#version : undefined;
    this.post({ kind: 'end', call: this.number, bytes, status: refusal, version });
    this.over();
  }
}

function statusOf({ code, details, message, trailers }: Partial<RefusedCall>): CarriedStatus {
  return {
    code: code ?? RPC_CODE.UNKNOWN,
    details: details ?? message ?? 'Unknown Error',
    trailers: trailers ?? [],
  };
}
