import type * as http from 'node:http';
import type { Registry } from 'prom-client';
import { InputError } from '../errors';
import { addressOf, boundedHttpServer, foreignRequest, LOOPBACK_NAMES } from './bounded-http';
import { openMetricsType } from './metric-families';
import { letPacketsPass } from './packets-first';
import { openServer } from './bounded-http';
import type { OpenServer } from './bounded-http';

/** A server of metrics, until it is closed. */
export type MetricsServer = OpenServer;

const OPEN_METRICS = 'application/openmetrics-text';

/**
 * Serves metrics at `/metrics`: OpenMetrics 1.0 to those who accept it, such as Prometheus, and the
 * older text format of Prometheus to all others.
 * @param address HOST:PORT, or PORT on the loopback interface; port 0 takes a free one.
 * @throws InputError when it cannot be listened on.
 */
export async function serveMetrics(address: string, registry: Registry): Promise<MetricsServer> {
  const { host, port } = parseAddress(address);
  // PERF: the first text takes ten times as long as the others, and packets wait for whoever makes it.
  await textOf(registry).catch(() => undefined);
  const page = new MetricsPage(registry);
  const server = boundedHttpServer(METRICS_CONNECTIONS, (request, response) => {
    void answer(page, { host, request, response });
  });
  return openServer(server, { host, port }, `--metrics ${address}`);
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

/** Connections at a time. Who scrapes needs one. */
export const METRICS_CONNECTIONS = 32;
/** Shorter than any interval of scrapes: further answers within it are the same bytes. */
const FRESH_MS = 250;

/** The older text of all metrics, made one by one, so that packets can pass in between. */
async function textOf(registry: Registry): Promise<string> {
  const texts: string[] = [];
  for (const { name } of registry.getMetricsAsArray()) {
    texts.push(await registry.getSingleMetricAsString(name));
    letPacketsPass();
  }
  return `${texts.join('\n\n')}\n`;
}

/** Texts of the metrics, made at most four times a second however many ask. */
class MetricsPage {
  #madeAt = -Infinity;
  #texts: Promise<Record<'open' | 'older', Buffer>> | undefined;

  constructor(private readonly registry: Registry) {}

  get type(): string {
    return this.registry.contentType;
  }

  texts(): Promise<Record<'open' | 'older', Buffer>> {
    const now = performance.now();
    if (this.#texts !== undefined && now - this.#madeAt < FRESH_MS) return this.#texts;
    this.#madeAt = now;
    this.#texts = textOf(this.registry).then((text) => ({
      open: Buffer.from(openMetricsOf(text)),
      older: Buffer.from(text),
    }));
    return this.#texts;
  }
}

interface Exchange {
  /** Address that the server listens at. */
  readonly host: string;
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
}

async function answer(page: MetricsPage, { host, request, response }: Exchange): Promise<void> {
  // At other addresses the server is reached by names that only its users know.
  const isLoopback = LOOPBACK_NAMES.test(host) || host === '::1';
  const refusal = foreignRequest(request, isLoopback ? LOOPBACK_NAMES : /^/);
  if (refusal !== undefined) {
    response.writeHead(403).end(`${refusal}\n`);
    return;
  }
  if (addressOf(request)?.pathname !== '/metrics') {
    response.writeHead(404).end('metrics are at /metrics\n');
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end('metrics are read with GET\n');
    return;
  }
  try {
    const { open, older } = await page.texts();
    const isOpen = (request.headers.accept ?? '').includes(OPEN_METRICS);
    const type = isOpen ? openMetricsType() : page.type;
    response.writeHead(200, { 'content-type': type }).end(isOpen ? open : older);
  } catch (error) {
    response.writeHead(500).end(`${String(error)}\n`);
  }
}
