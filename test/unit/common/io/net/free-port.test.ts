import * as net from 'node:net';
import { freePort } from '../../../../../common/io/net/free-port';

const listening = (port: number): Promise<net.Server> =>
  new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });

describe('a free port', () => {
  const servers: net.Server[] = [];
  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  test('is below those of the kernel, and no two in a row are the same', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, freePort));
    expect(new Set(ports).size).toBe(20);
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(10_000);
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });

  test('is none on which somebody listens', async () => {
    const first = await freePort();
    servers.push(await listening(first));
    // As many as the process has, so that the first would come again.
    for (let i = 1; i < 64; i++) expect(await freePort()).not.toBe(first);
    expect(await freePort()).not.toBe(first);
  });

  test('is refused when all are taken', async () => {
    const ports = new Set<number>();
    while (ports.size < 64) ports.add(await freePort());
    for (const port of ports) servers.push(await listening(port));
    await expect(freePort()).rejects.toThrow(/^no port from \d+ to \d+ is free$/);
  });
});
