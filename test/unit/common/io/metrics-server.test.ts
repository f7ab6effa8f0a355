import { Counter, Registry } from 'prom-client';
import { serveMetrics } from '../../../../common/io/metrics-server';
import type { MetricsServer } from '../../../../common/io/metrics-server';

const registry = new Registry();
new Counter({ name: 'hpcc_test_total', help: 'Of a test', registers: [registry] }).inc(3);

describe('metrics over HTTP', () => {
  let server: MetricsServer;
  beforeEach(async () => (server = await serveMetrics('0', registry)));
  afterEach(() => server.close());
  const get = (path: string, accept?: string): Promise<Response> =>
    fetch(
      `http://127.0.0.1:${server.port}${path}`,
      accept === undefined ? {} : { headers: { accept } },
    );

  test('are OpenMetrics to those who accept it, and text of Prometheus to others', async () => {
    const open = 'application/openmetrics-text; version=1.0.0,text/plain;q=0.5';
    const [first, second] = await Promise.all([get('/metrics', open), get('/metrics')]);
    expect(first.headers.get('content-type')).toContain('openmetrics-text; version=1.0.0');
    expect(await first.text()).toMatch(/# TYPE hpcc_test counter\nhpcc_test_total 3\n# EOF\n$/);
    expect(second.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(await second.text()).toContain('# TYPE hpcc_test_total counter\nhpcc_test_total 3\n');
  });

  test('are at their path only', async () => {
    expect((await get('/')).status).toBe(404);
  });

  test('end when they are closed', async () => {
    await server.close();
    await expect(get('/metrics')).rejects.toThrow();
    server = await serveMetrics('localhost:0', registry);
    expect(server.port).toBeGreaterThan(0);
  });

  test.each(['x', '127.0.0.1', '1:99999', '', ':', '::1:80'])(
    'are not served at %j',
    async (address) => {
      await expect(serveMetrics(address, registry)).rejects.toThrow(
        '--metrics must be HOST:PORT or PORT',
      );
    },
  );

  test('are not served where somebody else listens', async () => {
    await expect(serveMetrics(`${server.port}`, registry)).rejects.toThrow(
      /--metrics \d+: .*EADDRINUSE/,
    );
  });
});
