import { Metadata } from '@grpc/grpc-js';
import type {
  sendUnaryData,
  ServerDuplexStream,
  ServerUnaryCall,
  ServerWritableStream,
} from '@grpc/grpc-js';
import type { PartedRequest } from '../turns/repeated-field';
import type { CarriedStatus } from './messages';

/** A call of gRPC's server whose messages are bytes. */
export type BytesCall =
  | ServerUnaryCall<Uint8Array | PartedRequest, Uint8Array>
  | ServerWritableStream<Uint8Array | PartedRequest, Uint8Array>
  | ServerDuplexStream<Uint8Array, Uint8Array>;

/** A call in the thread that has its connection; the other thread answers it, or an answer that was kept. */
export class OpenCall {
  #isOver = false;
  readonly #whenGone = new Set<() => void>();

  /** @param answer how a call with one answer is answered; undefined for others. */
  constructor(
    private readonly call: BytesCall,
    private readonly answer: sendUnaryData<Uint8Array> | undefined,
  ) {}

  /** True if it was answered or refused, or its client has left. */
  get isGone(): boolean {
    return this.#isOver;
  }

  /** The client has left. */
  gone(): void {
    this.#isOver = true;
    for (const tell of this.#whenGone) tell();
  }

  /** Sends an answer; resolves when the client has taken it or has left, with false when neither is so after a time. */
  taken(bytes: Uint8Array, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isTaken: boolean): void => {
        clearTimeout(timer);
        this.#whenGone.delete(left);
        resolve(isTaken);
      };
      const left = (): void => settle(true);
      const timer = setTimeout(() => settle(false), ms).unref();
      this.#whenGone.add(left);
      this.write(bytes, left);
    });
  }

  /** @param taken called when the client's connection has taken the answer, or is gone. */
  write(bytes: Uint8Array, taken: () => void): void {
    if ('write' in this.call) this.call.write(bytes, taken);
  }

  end(bytes: Uint8Array | undefined, refusal: CarriedStatus | undefined): void {
    this.#isOver = true;
    const error = refusal && errorOf(refusal);
    if (this.answer !== undefined) this.answer(error ?? null, bytes);
    else if (error !== undefined) this.call.emit('error', error);
    else if ('end' in this.call) this.call.end();
  }
}

function errorOf({ code, details, trailers }: CarriedStatus): Error & { metadata: Metadata } {
  const metadata = new Metadata();
  for (const [key, value] of trailers) {
    metadata.add(key, typeof value === 'string' ? value : Buffer.from(value));
  }
  return Object.assign(new Error(details), { code, details, metadata });
}
