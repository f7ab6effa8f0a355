import * as http from 'node:http';
import * as net from 'node:net';
import { Registry } from 'prom-client';
import { boundedHttpServer, openServer } from '../../../../common/io/bounded-http';
import { serveMetrics } from '../../../../common/io/metrics-server';
import type { MetricsServer } from '../../../../common/io/metrics-server';

let server: MetricsServer;
let made = 0;
beforeAll(async () => {
  const registry = new Registry();
  const metrics = registry.metrics.bind(registry);
  registry.metrics = () => {
    made += 1;
    return metrics();
  };
  server = await serveMetrics('0', registry);
});
afterAll(() => server.close());

const get = (
  path: string,
  headers: http.OutgoingHttpHeaders = {},
  port = server.port,
): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    http
      .get({ port, path, headers, agent: false }, (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode));
      })
      .on('error', reject);
  });

test('attack 5: half-open connections lock nobody out of the metrics', async () => {
  const sockets = Array.from({ length: 100 }, () => net.connect(server.port, '127.0.0.1'));
  let closed = 0;
  for (const socket of sockets) {
    socket.on('error', () => undefined).on('close', () => (closed += 1));
  }
  await Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))),
  );
  expect(await get('/metrics')).toBe(200);
  // No more than 32 are kept, the newest ones.
  while (closed < 100 - 32) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await get('/metrics')).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test('attack 5: clients that take no answer lock nobody out', async () => {
  const bound = 4;
  const large = Buffer.alloc(32 * 1024 * 1024);
  let answers = 0;
  const door = boundedHttpServer(bound, (request, response) => {
    answers += 1;
    response.end(request.url === '/large' ? large : 'small');
  });
  const opened = await openServer(door, { host: '127.0.0.1', port: 0 }, 'door');
  const sockets = Array.from({ length: bound }, () => {
    const socket = net.connect(opened.port, '127.0.0.1').pause();
    socket.on('error', () => undefined).write('GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    return socket;
  });
  while (answers < bound) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await get('/', {}, opened.port)).toBe(200);
  for (const socket of sockets) socket.destroy();
  await opened.close();
});

test.each<[string, http.OutgoingHttpHeaders, number]>([
  ['/metrics', { host: 'evil.example' }, 403],
  ['/metrics', { 'sec-fetch-site': 'cross-site' }, 403],
  ['/metrics', { origin: 'http://evil.example' }, 403],
  ['//', {}, 404],
  ['/metrics', {}, 200],
])('attack 5: %s with %j is answered with %i', async (path, headers, status) => {
  expect(await get(path, headers)).toBe(status);
});

test('attack 4: however many ask for metrics, they are made a few times a second', async () => {
  const before = made;
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: 32 }, () => get('/metrics')));
  expect(made - before).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 250);
});
