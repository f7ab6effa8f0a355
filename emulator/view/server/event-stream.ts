import type * as http from 'node:http';
import type { PageData } from '../data/page-data';
import type { Followed } from './view-session';

/**
 * Server-sent events to one reader. Who reads more slowly than pages are made is sent the newest one
 * when there is room again, so that a reader who has stalled costs one page of memory.
 */
export class EventStream implements Followed {
  readonly #response: http.ServerResponse;
  #page: PageData | undefined;
  #status: string | undefined;

  constructor(response: http.ServerResponse) {
    this.#response = response;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    // A reader learns by the head that it is connected, before there is any news.
    response.flushHeaders();
    response.on('drain', () => this.#send());
  }

  page(page: PageData): void {
    this.#page = page;
    this.#send();
  }

  status(text: string): void {
    this.#status = text;
    this.#send();
  }

  #send(): void {
    if (this.#response.writableNeedDrain) return;
    const [page, status] = [this.#page, this.#status];
    this.#page = this.#status = undefined;
    const parts = [
      ...(page === undefined ? [] : [`data: ${JSON.stringify(page)}\n\n`]),
      ...(status === undefined ? [] : [`event: status\ndata: ${oneLine(status)}\n\n`]),
    ];
    if (parts.length > 0) this.#response.write(parts.join(''));
  }
}

/** A line break would end the field. */
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');
