import type * as http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { InputError } from '../errors';
import { ownDescriptors } from './net/descriptors';
import { letPacketsPass } from './packets-first';

const httpModule = (): typeof http =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- PERF: half a megabyte, which few nodes need
  require('node:http') as typeof http;

/** Bounds of a connection. */
export const HTTP_BOUNDS = {
  /** From the connection to the last byte of a request's headers. */
  headersMs: 5_000,
  /** To the last byte of the request; ours have no bodies. */
  requestMs: 10_000,
  idleMs: 15_000,
  headerBytes: 16_384,
} as const;
const LOOK_MS = 1_000;

/**
 * Server of HTTP whose connections are bounded in number and time. Beyond the bound, or when too few descriptors are
 * left, the connection that has been without a request longest gives way to the new one, and without such the one that
 * takes longest for its answer: neither half-open connections nor clients that do not read lock anybody out.
 */
export function boundedHttpServer(
  connectionsMax: number,
  answer: (request: http.IncomingMessage, response: http.ServerResponse) => void,
): http.Server {
  // Each in the order in which its connections came there.
  const waiting = new Set<Socket>();
  const answered = new Set<Socket>();
  const server = httpModule().createServer(
    { connectionsCheckingInterval: LOOK_MS, maxHeaderSize: HTTP_BOUNDS.headerBytes },
    (request, response) => {
      letPacketsPass();
      const { socket } = request;
      waiting.delete(socket);
      answered.add(socket);
      response.once('close', () => {
        answered.delete(socket);
        if (!socket.destroyed) waiting.add(socket);
      });
      answer(request, response);
    },
  );
  server.headersTimeout = HTTP_BOUNDS.headersMs;
  server.requestTimeout = HTTP_BOUNDS.requestMs;
  server.keepAliveTimeout = HTTP_BOUNDS.idleMs;
  server.on('connection', (socket) => {
    letPacketsPass();
    const [giving = [...answered][0] ?? socket] = waiting;
    waiting.add(socket);
    socket.once('close', () => {
      waiting.delete(socket);
      answered.delete(socket);
    });
    const isScarce = ownDescriptors().isOneTooMany(socket, 'other');
    if (isScarce || waiting.size + answered.size > connectionsMax) giving.destroy();
  });
  return server;
}

/** A server that listens, until it is closed. */
export interface OpenServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Lets a server listen; port 0 takes a free one.
 * @param option what named the address, for the error.
 * @throws InputError when it cannot be listened on.
 */
export async function openServer(
  server: http.Server,
  { host, port }: { readonly host: string; readonly port: number },
  option: string,
): Promise<OpenServer> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new InputError(`${option}: ${error.message}`)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Names by which a browser of this machine reaches a server on the loopback. */
export const LOOPBACK_NAMES = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/**
 * Says why a request may be the work of a page from elsewhere; undefined for the others. Such a page can send
 * requests in the name of whoever looks at it: by a name that leads here (Host), or across sites (Origin,
 * Sec-Fetch-Site).
 * @param hosts names that the server is reached by.
 */
export function foreignRequest(
  { headers }: http.IncomingMessage,
  hosts: RegExp,
): string | undefined {
  const { host = '', origin } = headers;
  const site = headers['sec-fetch-site'];
  if (!hosts.test(host)) return 'only for this machine';
  if (origin !== undefined && origin !== `http://${host}`) return 'not for pages from elsewhere';
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  return 'not for pages from elsewhere';
}

/** The address that a request wants; undefined for what is none. */
export function addressOf({ url = '/' }: http.IncomingMessage): URL | undefined {
  if (!/^\/(?![/\\])/.test(url)) return undefined;
  try {
    return new URL(url, 'http://127.0.0.1');
  } catch {
    return undefined;
  }
}
