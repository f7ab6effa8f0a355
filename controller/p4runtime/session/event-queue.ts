import type { StreamEvent } from './stream-event';

/**
 * Events between a stream that does not wait and a reader that takes its time. A full queue loses
 * its oldest events and says how many.
 */
export class EventQueue implements AsyncIterableIterator<StreamEvent> {
  private events: StreamEvent[] = [];
  private dropped = 0;
  private waiting: ((result: IteratorResult<StreamEvent>) => void)[] = [];
  private finished = false;

  constructor(
    private readonly limit: number,
    /** Called once when the reader or the stream ends. */
    private readonly detach: () => void,
  ) {}

  push(event: StreamEvent): void {
    if (this.finished) return;
    const reader = this.waiting.shift();
    if (reader !== undefined) reader({ done: false, value: event });
    else this.events.push(event);
    if (this.events.length > this.limit) {
      this.events.shift();
      this.dropped++;
    }
    if (event.kind === 'ended') this.finish();
  }

  next(): Promise<IteratorResult<StreamEvent>> {
    if (this.dropped > 0) {
      const count = this.dropped;
      this.dropped = 0;
      return Promise.resolve({ done: false, value: { kind: 'dropped', count } });
    }
    const value = this.events.shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (this.finished) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** The reader has had enough, as by `break` in a loop. */
  return(): Promise<IteratorResult<StreamEvent>> {
    this.events = [];
    this.dropped = 0;
    this.finish();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private finish(): void {
    if (this.finished) return;
    this.finished = true;
    for (const reader of this.waiting.splice(0)) reader({ done: true, value: undefined });
    this.detach();
  }
}
