import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { InputError } from '../errors';

/** A server of metrics, until it is closed. */
export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

const OPEN_METRICS = 'application/openmetrics-text';

/**
 * Serves metrics at `/metrics`: OpenMetrics 1.0 to those who accept it, such as Prometheus, and the
 * older text format of Prometheus to all others.
 * @param address HOST:PORT, or PORT on the loopback interface; port 0 takes a free one.
 * @throws InputError when it cannot be listened on.
 */
export async function serveMetrics(address: string, registry: Registry): Promise<MetricsServer> {
  const { host, port } = parseAddress(address);
  const server = http.createServer((request, response) => {
    void answer(registry, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(new InputError(`--metrics ${address}: ${error.message}`));
    });
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

function parseAddress(address: string): { host: string; port: number } {
  const [, bracketed, plain, digits = ''] =
    /^(?:(?:\[(.+)\]|([^:]+)):)?(\d{1,5})$/.exec(address) ?? [];
  const port = digits === '' ? NaN : Number(digits);
  if (port <= 0xffff) return { host: bracketed ?? plain ?? '127.0.0.1', port };
  throw new InputError(`--metrics must be HOST:PORT or PORT, got '${address}'`);
}

/**
 * The same metrics in OpenMetrics 1.0, where a family of counters has its name without `_total` and
 * no line is empty. Converted here, because the library would rename its counters for good.
 */
const openMetricsOf = (text: string): string =>
  `${text.replace(/^# (HELP|TYPE) (\w+)_total /gm, '# $1 $2 ').replace(/\n\n+/g, '\n')}# EOF\n`;

async function answer(
  registry: Registry,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  if (request.url?.split('?')[0] !== '/metrics') {
    response.writeHead(404).end('metrics are at /metrics\n');
    return;
  }
  try {
    const text = await registry.metrics();
    const isOpen = (request.headers.accept ?? '').includes(OPEN_METRICS);
    const type = isOpen ? Registry.OPENMETRICS_CONTENT_TYPE : registry.contentType;
    response.writeHead(200, { 'content-type': type }).end(isOpen ? openMetricsOf(text) : text);
  } catch (error) {
    response.writeHead(500).end(`${String(error)}\n`);
  }
}
