import * as http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { EventStream } from '../../../../../emulator/view/server/event-stream';
import { runPage } from '../../../../../emulator/view/data/run-page';
import { RESULT } from '../../../../support/result';

/** A page of about a megabyte. */
const pageOf = (number: number) => ({
  ...runPage(RESULT),
  title: String(number),
  subtitle: 'x'.repeat(1e6),
});

let stream: EventStream;
let response: http.ServerResponse;
const server = http.createServer((_request, answer) => {
  response = answer;
  stream = new EventStream(answer);
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a reader that has stalled costs one page, and has the newest when it reads again', async () => {
  const { port } = server.address() as AddressInfo;
  const [answer] = (await once(http.get({ port, host: '127.0.0.1' }), 'response')) as [
    http.IncomingMessage,
  ];
  const PAGES = 60;
  for (let i = 1; i <= PAGES; i++) {
    stream.page(pageOf(i));
    stream.status(`page ${i}\nof ${PAGES}`);
    await new Promise(setImmediate);
  }
  expect(response.writableLength).toBeLessThan(3e6);
  let text = '';
  for await (const part of answer) {
    text += String(part);
    if (text.includes(`data: page ${PAGES} of ${PAGES}\n\n`)) break;
  }
  const titles = [...text.matchAll(/"title":"(\d+)"/g)].map(([, title]) => Number(title));
  expect(titles.at(-1)).toBe(PAGES);
  expect(titles.length).toBeLessThan(PAGES / 2);
});
