import type { ClientDuplexStream } from '@grpc/grpc-js';
import * as gnmi from '../../../common/p4runtime/generated/gnmi/gnmi';
import type { GnmiEvent } from '../../gnmi/notification';
import { readNotification } from './messages';

export type SubscribeCall = ClientDuplexStream<gnmi.SubscribeRequest, gnmi.SubscribeResponse>;

export interface SubscriptionRules {
  /** True if the sync event is the last, as for a subscription that lasts once. */
  readonly endsAtSync: boolean;
  /** Turns the failure of the call into an error for a person. */
  readonly failure: (error: unknown) => Error;
  /** Called once when nothing more will come. */
  readonly detach: () => void;
}

/** So many events may wait for a reader; beyond, gRPC's flow control makes the device wait. */
const WAITING_MAX = 1000;

interface Reader {
  readonly resolve: (result: IteratorResult<GnmiEvent, undefined>) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * The events of one subscription, in order, for one `for await`. Leaving the loop ends the
 * subscription; a failure of the call is thrown once, behind the events that came before it.
 */
export class GnmiSubscription implements AsyncIterableIterator<GnmiEvent, undefined> {
  private readonly events: GnmiEvent[] = [];
  private readonly readers: Reader[] = [];
  private error: Error | undefined;
  private finished = false;

  constructor(
    private readonly call: SubscribeCall,
    private readonly rules: SubscriptionRules,
  ) {
    call.on('data', (response: gnmi.SubscribeResponse) => this.receive(response));
    call.on('error', (error: unknown) => {
      if (!this.finished) this.error ??= rules.failure(error);
    });
    call.on('end', () => this.finish());
  }

  /** Asks for the values once more; only a subscription of mode poll may. */
  poll(): void {
    if (this.finished) return;
    this.call.write(new gnmi.SubscribeRequest({ poll: new gnmi.Poll({}) }));
  }

  next(): Promise<IteratorResult<GnmiEvent, undefined>> {
    const value = this.events.shift();
    if (this.call.isPaused() && this.events.length === 0) this.call.resume();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (!this.finished) {
      return new Promise((resolve, reject) => this.readers.push({ resolve, reject }));
    }
    const { error } = this;
    this.error = undefined;
    if (error === undefined) return Promise.resolve({ done: true, value: undefined });
    return Promise.reject(error);
  }

  /** The reader has had enough, as by `break` in a loop. */
  return(): Promise<IteratorResult<GnmiEvent, undefined>> {
    this.events.length = 0;
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Ends the subscription without an error; what has come can still be read. */
  end(): void {
    if (this.finished) return;
    this.finish();
    this.call.cancel();
    // A paused call would never come to its end.
    this.call.resume();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private receive(response: gnmi.SubscribeResponse): void {
    if (this.finished) return;
    const event = eventOf(response);
    if (event === undefined) return;
    const reader = this.readers.shift();
    if (reader !== undefined) reader.resolve({ done: false, value: event });
    else if (this.events.push(event) >= WAITING_MAX) this.call.pause();
    if (event.kind === 'sync' && this.rules.endsAtSync) this.end();
  }

  private finish(): void {
    if (this.finished) return;
    this.finished = true;
    this.rules.detach();
    const [first, ...others] = this.readers.splice(0);
    if (first !== undefined) void this.next().then(first.resolve, first.reject);
    for (const reader of others) reader.resolve({ done: true, value: undefined });
  }
}

/** Responses that are neither values nor the sign of completeness belong to extensions. */
function eventOf(response: gnmi.SubscribeResponse): GnmiEvent | undefined {
  if (response.hasUpdate) return { kind: 'update', ...readNotification(response.update) };
  return response.syncResponse ? { kind: 'sync' } : undefined;
}
