import * as http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { requestMetrics } from '../../../../../emulator/view/server/metrics-request';

const LINE = 'hpcc_switch_queue_bytes{port="1"} 5\n';
const KILOBYTE = '# a line of a comment\n'.repeat(50);
const BYTES = 100_000;

type Answer = (response: http.ServerResponse) => void;

/** A peer that answers in one way, and tells how much of it has been taken. */
async function peer(answer: Answer) {
  const closed: Promise<unknown>[] = [];
  const server = http.createServer((_request, response) => {
    closed.push(once(response, 'close'));
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ask: (ms: number, signal = new AbortController().signal) =>
      requestMetrics({ name: 's1', address: `127.0.0.1:${port}` }, signal, { ms, bytes: BYTES }),
    closed: () => Promise.all(closed),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const forEver: Answer = (response) => {
  const more = (): void => {
    if (response.destroyed) return;
    if (response.write(KILOBYTE)) setImmediate(more);
    else response.once('drain', more);
  };
  more();
};

test('samples are read from an answer in parts', async () => {
  const { ask, close } = await peer((response) => {
    response.write(LINE.slice(0, 20));
    setImmediate(() => response.end(LINE.slice(20)));
  });
  expect((await ask(5000)).get('hpcc_switch_queue_bytes')).toMatchObject([{ value: 5 }]);
  close();
});

test.each<[string, number, Answer, string]>([
  ['sends for ever', 30_000, forEver, `more than ${BYTES} bytes`],
  [
    'sends a word of no end',
    30_000,
    (response) => response.end('a'.repeat(BYTES * 3)),
    `more than ${BYTES} bytes`,
  ],
  [
    'sends hardly anything',
    200,
    (response) => {
      const timer = setInterval(() => response.write(LINE), 20);
      response.on('close', () => clearInterval(timer));
    },
    'no whole answer within 0.2 s',
  ],
  ['never answers', 200, () => undefined, 'no whole answer within 0.2 s'],
  ['fails', 30_000, (response) => response.writeHead(500).end('no'), 'status 500'],
  [
    'sends the reader elsewhere',
    30_000,
    (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    'status 302',
  ],
])('a peer that %s is given up, and its connection is closed', async (_, ms, answer, reason) => {
  const { ask, closed, close } = await peer(answer);
  await expect(ask(ms)).rejects.toThrow(reason);
  await expect(ask(ms)).rejects.toThrow(
    /^no metrics of s1 at http:\/\/127\.0\.0\.1:\d+\/metrics: /,
  );
  await closed();
  close();
});

test('a question ends when nobody wants its answer any more', async () => {
  const { ask, closed, close } = await peer(() => undefined);
  const stop = new AbortController();
  const asked = ask(30_000, stop.signal);
  setTimeout(() => stop.abort(), 50);
  await expect(asked).rejects.toThrow('aborted');
  await closed();
  close();
});
