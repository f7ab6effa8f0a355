import * as fs from 'node:fs';
import * as http from 'node:http';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import type { OpenServer } from '../../../../common/io/bounded-http';
import { serveSite } from '../../../../common/io/site-server';

let parent: string;
let server: OpenServer;

beforeAll(async () => {
  parent = fs.mkdtempSync(path.join(os.tmpdir(), 'site-'));
  const site = path.join(parent, 'site');
  fs.mkdirSync(path.join(site, 'part'), { recursive: true });
  fs.writeFileSync(path.join(parent, 'secret.txt'), 'secret');
  for (const name of ['index.html', '404.html', 'part/index.html', 'a b.js', 'gone.css']) {
    fs.writeFileSync(path.join(site, name), `text of ${name}`);
  }
  server = await serveSite(site, 0);
  fs.rmSync(path.join(site, 'gone.css'));
});

afterAll(async () => {
  await server.close();
  fs.rmSync(parent, { recursive: true });
});

/** Status, type and text of an answer; the address is sent as it is written. */
function get(at: string, options: http.RequestOptions = {}): Promise<[unknown, unknown, string]> {
  return new Promise((resolve, reject) => {
    http
      .request({ port: server.port, path: at, agent: false, ...options }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () =>
          resolve([response.statusCode, response.headers['content-type'], text]),
        );
      })
      .on('error', reject)
      .end();
  });
}

describe('a server of a site', () => {
  test.each([
    ['/', 200, 'text/html; charset=utf-8', 'text of index.html'],
    ['/index.html?x=1', 200, 'text/html; charset=utf-8', 'text of index.html'],
    ['/part/', 200, 'text/html; charset=utf-8', 'text of part/index.html'],
    ['/a%20b.js', 200, 'text/javascript; charset=utf-8', 'text of a b.js'],
    ['/none', 404, 'text/html; charset=utf-8', 'text of 404.html'],
    ['/part', 404, 'text/html; charset=utf-8', 'text of 404.html'],
    ['/../secret.txt', 404, 'text/html; charset=utf-8', 'text of 404.html'],
    ['/%2e%2e%2fsecret.txt', 404, 'text/html; charset=utf-8', 'text of 404.html'],
    ['/gone.css', 404, undefined, ''],
    ['/%', 400, 'text/plain; charset=utf-8', ''],
    ['//elsewhere/', 400, 'text/plain; charset=utf-8', ''],
  ])('answers %s with %d', async (at, status, type, text) => {
    expect(await get(at)).toEqual([status, type, text]);
  });

  test('is for this machine, and for reading', async () => {
    expect((await get('/', { headers: { host: 'evil.example' } }))[0]).toBe(403);
    expect((await get('/', { headers: { 'sec-fetch-site': 'cross-site' } }))[0]).toBe(403);
    expect((await get('/', { method: 'POST' }))[0]).toBe(405);
    expect(await get('/', { method: 'HEAD' })).toEqual([200, 'text/html; charset=utf-8', '']);
  });

  test('listens at 127.0.0.1 alone', async () => {
    const code = await new Promise<string | undefined>((resolve) => {
      const socket = net.connect(server.port, '127.0.0.2');
      socket.once('connect', () => resolve(undefined));
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    expect(code).toBe('ECONNREFUSED');
  });

  test('refuses a port that is taken, and a folder without a first page', async () => {
    const site = path.join(parent, 'site');
    await expect(serveSite(site, server.port)).rejects.toThrow(
      `--port ${server.port}: listen EADDRINUSE`,
    );
    await expect(serveSite(parent, 0)).rejects.toThrow('has no index.html');
  });
});
