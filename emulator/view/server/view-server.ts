import type * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { InputError, failureText } from '../../../common/errors';
import { addressOf, boundedHttpServer, foreignRequest } from '../../../common/io/bounded-http';
import { LOOPBACK_NAMES } from '../../../common/io/bounded-http';
import { note } from '../../../common/io/terminal';
import { pageAssets } from '../../io/page-assets';
import { servedPage } from '../data/static-page';
import { EventStream } from './event-stream';
import { Reruns } from './reruns';
import type { ViewSession } from './view-session';

export interface ViewServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves one page on the loopback interface. @throws InputError when the port is taken. */
export async function serveView(session: ViewSession, port: number): Promise<ViewServer> {
  const served = { session, reruns: new Reruns(), followers: new Set<http.ServerResponse>() };
  const server = boundedHttpServer(CONNECTIONS_MAX, (request, response) => {
    answer(served, request, response).catch((error: unknown) => {
      // Whoever has gone wants no answer.
      if (response.destroyed) return;
      // For the one at the terminal alone: a stack trace is no answer.
      note(`hpcc: ${request.method} ${request.url}: ${failureText(error)}`);
      if (!response.headersSent) response.writeHead(500, TEXT);
      response.end('this failed; the terminal of hpcc view says why\n');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new InputError(`--port ${port}: ${error.message}`)));
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Connections at a time: pages that follow, and as many that ask. */
const CONNECTIONS_MAX = 64;

const TEXT = { 'content-type': 'text/plain; charset=utf-8' } as const;
const JSON_TYPE = { 'content-type': 'application/json', 'cache-control': 'no-store' } as const;

/** Each costs a page of memory, and the work of sending it some times per second. */
const FOLLOWERS_MAX = 16;

/** A longer moment has more packets than anybody looks at. */
const LENGTH_MAX_US = 1000;

interface Served {
  readonly session: ViewSession;
  readonly reruns: Reruns;
  readonly followers: Set<http.ServerResponse>;
}

const NOT_KEPT = 'there is no scenario.json to run again';

type Answer = (
  served: Served,
  response: http.ServerResponse,
  query: URLSearchParams,
) => void | Promise<void>;

const ANSWERS: Readonly<Record<string, Answer>> = {
  '/': ({ session: { ability, page } }, response) => {
    const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
    const text = servedPage(page().title, ability, pageAssets());
    response.writeHead(200, headers).end(text);
  },
  '/data': ({ session: { page } }, response) => sendJson(response, page()),
  '/detail': ({ session: { detail } }, response, query) => {
    const fromUs = numberOf(query, 'from', 0);
    sendJson(response, detail({ fromUs, toUs: numberOf(query, 'to', fromUs) }));
  },
  '/trace': async ({ session: { travel, cannotTravel }, reruns }, response, query) => {
    if (travel === undefined) throw new InputError(cannotTravel ?? NOT_KEPT);
    const flow = query.has('flow') ? numberOf(query, 'flow', 1) : undefined;
    const lengthUs = Math.min(numberOf(query, 'length', 0), LENGTH_MAX_US);
    const wanted = { fromUs: numberOf(query, 'from', 0), lengthUs, flow };
    sendJson(response, await reruns.take(goneSignal(response), (gone) => travel(wanted, gone)));
  },
  '/difference': async ({ session: { difference }, reruns }, response) => {
    if (difference === undefined) throw new InputError('there is no second run: use --with');
    sendJson(response, await reruns.take(goneSignal(response), difference));
  },
  '/events': sendEvents,
};

async function answer(
  served: Served,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const refusal = foreignRequest(request, LOOPBACK_NAMES);
  if (refusal !== undefined) {
    response.writeHead(403, TEXT).end(`${refusal}\n`);
    return;
  }
  const url = addressOf(request);
  if (url === undefined) {
    response.writeHead(400, TEXT).end('wanted an address that begins with one /\n');
    return;
  }
  const found = Object.hasOwn(ANSWERS, url.pathname) ? ANSWERS[url.pathname] : undefined;
  if (found === undefined || request.method !== 'GET') {
    response.writeHead(404, TEXT).end('the page is at /\n');
    return;
  }
  try {
    await found(served, response, url.searchParams);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    response.writeHead(400, TEXT).end(error.message);
  }
}

const sendJson = (response: http.ServerResponse, value: unknown): void => {
  const text = JSON.stringify(value);
  response.writeHead(200, JSON_TYPE).end(text);
};

function numberOf(query: URLSearchParams, name: string, least: number): number {
  const value = Number(query.get(name) ?? NaN);
  if (Number.isFinite(value) && value >= least) return value;
  throw new InputError(
    `${name} must be a number of at least ${least}, got '${query.get(name) ?? ''}'`,
  );
}

function sendEvents(
  { session: { follow }, followers }: Served,
  response: http.ServerResponse,
): void {
  if (follow === undefined) throw new InputError('nothing goes on here: the run is over');
  if (followers.size >= FOLLOWERS_MAX) {
    throw new InputError(`${FOLLOWERS_MAX} pages follow already: close one of them`);
  }
  followers.add(response);
  const end = follow(new EventStream(response));
  response.on('close', () => {
    followers.delete(response);
    end();
  });
}

/** Aborted when the client has gone before it had its answer. */
function goneSignal(response: http.ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  return gone.signal;
}
