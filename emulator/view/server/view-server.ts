import type * as http from 'node:http';
import { InputError, failureText } from '../../../common/errors';
import { addressOf, boundedHttpServer, foreignRequest } from '../../../common/io/bounded-http';
import { LOOPBACK_NAMES, openServer } from '../../../common/io/bounded-http';
import { note } from '../../../common/io/terminal';
import { pageAssets } from '../../io/results/page-assets';
import { servedPage } from '../data/static-page';
import { EventStream } from './event-stream';
import { Reruns } from './reruns';
import { sessionAnswer } from './session-answers';
import type { ViewSession } from './view-session';

export interface ViewServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves one page on the loopback interface. @throws InputError when the port is taken. */
export async function serveView(session: ViewSession, port: number): Promise<ViewServer> {
  const served = { session, reruns: new Reruns(), followers: new Set<http.ServerResponse>() };
  const server = boundedHttpServer(VIEW_CONNECTIONS, (request, response) => {
    answer(served, request, response).catch((error: unknown) => {
      // Whoever has gone wants no answer.
      if (response.destroyed) return;
      // For the one at the terminal alone: a stack trace is no answer.
      note(`hpcc: ${request.method} ${request.url}: ${failureText(error)}`);
      if (!response.headersSent) response.writeHead(500, TEXT);
      response.end('this failed; the terminal of hpcc view says why\n');
    });
  });
  const opened = await openServer(server, { host: '127.0.0.1', port }, `--port ${port}`);
  return { url: `http://127.0.0.1:${opened.port}/`, close: () => opened.close() };
}

/** Connections at a time: pages that follow, and as many that ask. */
export const VIEW_CONNECTIONS = 64;

const TEXT = { 'content-type': 'text/plain; charset=utf-8' } as const;
const JSON_TYPE = { 'content-type': 'application/json', 'cache-control': 'no-store' } as const;

/** Each costs a page of memory, and the work of sending it some times per second. */
export const FOLLOWERS_MAX = 16;

interface Served {
  readonly session: ViewSession;
  readonly reruns: Reruns;
  readonly followers: Set<http.ServerResponse>;
}

/** Ends what a reader has asked for when the reader goes. */
function goneSignal(response: http.ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  return gone.signal;
}

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
  const given = request.method === 'GET' ? answerTo(served, response, url) : undefined;
  if (given === undefined) {
    response.writeHead(404, TEXT).end('the page is at /\n');
    return;
  }
  try {
    await given();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    response.writeHead(400, TEXT).end(error.message);
  }
}

/** The action that answers a request; undefined where there is nothing. */
function answerTo(
  served: Served,
  response: http.ServerResponse,
  { pathname, searchParams }: URL,
): (() => unknown) | undefined {
  const { session, reruns } = served;
  if (pathname === '/') return () => sendPage(session, response);
  if (pathname === '/events') return () => sendEvents(served, response);
  const found = sessionAnswer(pathname.slice(1));
  if (found === undefined) return undefined;
  return async () =>
    sendJson(
      response,
      await found(session, searchParams, (run) => reruns.take(goneSignal(response), run)),
    );
}

function sendPage({ page, ability }: ViewSession, response: http.ServerResponse): void {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(200, headers).end(servedPage(page().title, ability, pageAssets()));
}

const sendJson = (response: http.ServerResponse, value: unknown): void => {
  const text = JSON.stringify(value);
  response.writeHead(200, JSON_TYPE).end(text);
};

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
