import * as fs from 'node:fs';
import type * as http from 'node:http';
import * as path from 'node:path';
import { InputError } from '../errors';
import { addressOf, boundedHttpServer, foreignRequest, LOOPBACK_NAMES } from './bounded-http';
import { openServer } from './bounded-http';
import type { OpenServer } from './bounded-http';

/** Connections at a time: a browser opens six. */
export const SITE_CONNECTIONS = 64;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/**
 * Serves the files that a folder has now, on the loopback interface: folders by their `index.html`, and
 * `404.html` for what there is not.
 * @param port 0 takes a free one.
 * @throws InputError when the port is taken, or the folder has no index.html.
 */
export async function serveSite(folder: string, port: number): Promise<OpenServer> {
  // Only names of this list are opened, whatever a request says.
  const files = new Set(
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => name.split(path.sep).join('/'))
      .filter((name) => fs.statSync(path.join(folder, name)).isFile()),
  );
  if (!files.has('index.html')) throw new InputError(`${folder} has no index.html`);
  const server = boundedHttpServer(SITE_CONNECTIONS, (request, response) => {
    const [status, file] = answerTo(request, files);
    if (file === undefined) response.writeHead(status, { 'content-type': TYPES['.txt'] }).end();
    else sendFile(response, status, path.join(folder, file));
  });
  return openServer(server, { host: '127.0.0.1', port }, `--port ${port}`);
}

/** Status and file of the answer to a request. */
function answerTo(
  request: http.IncomingMessage,
  files: ReadonlySet<string>,
): [status: number, file?: string] {
  if (foreignRequest(request, LOOPBACK_NAMES) !== undefined) return [403];
  if (request.method !== 'GET' && request.method !== 'HEAD') return [405];
  const name = nameOf(request);
  if (name === undefined) return [400];
  if (files.has(name)) return [200, name];
  return files.has('404.html') ? [404, '404.html'] : [404];
}

/** Name of the file that a request wants; undefined for what is no address. */
function nameOf(request: http.IncomingMessage): string | undefined {
  try {
    const name = decodeURIComponent(addressOf(request)?.pathname.slice(1) ?? '%');
    return name === '' || name.endsWith('/') ? `${name}index.html` : name;
  } catch {
    return undefined;
  }
}

function sendFile(response: http.ServerResponse, status: number, file: string): void {
  const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
  const text = fs.createReadStream(file);
  text.once('open', () => {
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-cache' });
    text.pipe(response);
  });
  // The site may be built anew meanwhile.
  text.once('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(404).end();
  });
  response.once('close', () => text.destroy());
}
