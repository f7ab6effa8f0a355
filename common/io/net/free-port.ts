import * as net from 'node:net';
import { InputError } from '../../errors';

/**
 * First port of our range, below Linux's range of automatic ports (net.ipv4.ip_local_port_range,
 * from 32,768 on).
 */
const FIRST_PORT = 10_000;
const LAST_PORT = 32_767;
/** Ports that one process takes before it begins again. */
const BLOCK = 64;
const BLOCKS = Math.floor((LAST_PORT + 1 - FIRST_PORT) / BLOCK);

let taken = 0;

/**
 * Finds a free TCP port of the loopback, for a server in another process. No other process takes it
 * meanwhile: it is outside the kernel's automatic range, and each process searches a block that
 * follows from its process id. gRPC lets two servers share a port in silence, so that a port taken
 * twice would not even be noticed.
 * @throws InputError when all of the block are in use.
 */
export async function freePort(): Promise<number> {
  const first = FIRST_PORT + (process.pid % BLOCKS) * BLOCK;
  for (let tries = 0; tries < BLOCK; tries++) {
    const port = first + (taken++ % BLOCK);
    if (await isFree(port)) return port;
  }
  throw new InputError(`no port from ${first} to ${first + BLOCK - 1} is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
