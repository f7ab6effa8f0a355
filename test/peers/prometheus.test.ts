import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Registry } from 'prom-client';
import { parse } from 'yaml';
import { collectorMetrics } from '../../cli/int/collector-metrics';
import { freePort } from '../../common/io/net/free-port';
import { serveMetrics } from '../../common/io/metrics-server';
import type { MetricsServer } from '../../common/io/metrics-server';
import { ReportCollector } from '../../common/telemetry/collect/report-collector';
import { ReportTotals } from '../../common/telemetry/collect/report-totals';
import { ControllerMetrics } from '../../controller/io/watch/metrics';
import { metricsRegistry } from '../../host-agent/io/process/metrics';
import { tcpMetricsRegistry } from '../../host-agent/io/tcp/tcp-metrics';
import { hpccppFactory } from '../../host-agent/algorithm/window-form';
import { HostAgent } from '../../host-agent/transport/host';
import { startClock } from '../../common/io/monotonic-clock';
import { milliseconds } from '../../common/units/units';
import { LiveSwitch } from '../../switch/io/live/live-switch';
import { switchMetrics } from '../../switch/io/switch-metrics';
import { noDrops } from '../../switch/v1model/switch-counters';
import { ROOT } from '../support/paths';
import { describeIf, isOnPath } from '../support/requires';
import { TcpSimulation } from '../support/simulated-tcp';

const FLOW = {
  flow: 7,
  acknowledgedBytes: 1000,
  segmentsRetransmitted: 2,
  timeouts: 0,
  windowBytes: 5,
  pacingRate: 6,
  isComplete: false,
  seconds: 1,
  hops: 1,
  controlAt: 'sender' as const,
  normalizedInflight: 0.5,
  windowUpdates: 1,
  uncontrolledSeconds: 0,
  withTelemetry: 1,
  withoutTelemetry: 0,
  queueBytes: 8,
  queueBytesMax: 9,
  telemetryRejected: 0,
};

function agentRegistry(): Registry {
  const link = { address: 1, mac: 1, linkRate: 1e9, baseRtt: 1e9 };
  const agent = new HostAgent({ ...link, congestionControl: hpccppFactory() });
  const port = { received: 3, ignored: 0, sent: 4, overflowed: 0, oversized: 0, sendFailed: 0 };
  return metricsRegistry({
    host: () => agent.counters(),
    port: () => port,
    flows: () => [FLOW],
    controlled: () => [{ ...FLOW, source: '10.0.0.1', controlAt: 'receiver' as const }],
    differing: () => [{ peer: '10.0.0.1', differences: [{ setting: 'links' }] }],
  });
}

function tcpRegistry(): Registry {
  const simulation = new TcpSimulation({ capacity: 20e6, rtt: milliseconds(5), starts: [0] });
  const [control] = simulation.run(milliseconds(100) as number).controls;
  if (control === undefined) throw new Error('no control');
  const connections = (): ReturnType<typeof control.current> => control.current();
  return tcpMetricsRegistry({ counters: () => control.counters(), connections });
}

function controllerRegistry(): Registry {
  const metrics = new ControllerMetrics();
  metrics.observe('s1', { kind: 'failed', error: new Error('gone') } as never);
  return metrics.registry;
}

function switchRegistry(): Registry {
  const live = new LiveSwitch({ clock: startClock(), onFailure: () => undefined });
  const ports = new Map([[1, { rxPackets: 1, rxBytes: 100, txPackets: 2, txBytes: 200 }]]);
  const pauses = {
    requests: { pauses: 1, resumes: 1, losslessDrops: 0, lossyDrops: 0, storms: 0, stormDrops: 0 },
    peaks: { sharedBytes: 1, headroomBytes: 0 },
    pauseCounters: () => [
      { pauses: 1, resumes: 0, duration: 5, storms: 0, stormDrops: 0, ignored: 0 },
    ],
  };
  const counters = () => ({ drops: noDrops(), ports });
  return switchMetrics(live, { counters, queueBytes: () => 0, pauses }, new Map());
}

function collectorRegistry(): Registry {
  const collector = new ReportCollector();
  return collectorMetrics({
    collector,
    totals: new ReportTotals(collector),
    dropped: () => 3,
  });
}

const registries = (): [string, Registry][] => [
  ['agent', agentRegistry()],
  ['tcp', tcpRegistry()],
  ['controller', controllerRegistry()],
  ['switch', switchRegistry()],
];

/** Name, type and labels of each metric, in alphabetical order. */
async function described(registry: Registry): Promise<string[]> {
  const all = await registry.getMetricsAsJSON();
  return all.map(({ name, type }) => {
    // prom-client keeps a metric's labels, and tells them nowhere else.
    const { labelNames } = registry.getSingleMetric(name) as unknown as { labelNames: string[] };
    return [name, String(type), ...[...labelNames].sort()].join(' ');
  });
}

const inBackticks = (cell: string): string[] =>
  [...cell.matchAll(/`(\w+)`/g)].flatMap(([, one]) => one ?? []);

test('docs/metrics.md names every metric that is served, with its type and labels, and no other', async () => {
  const page = fs.readFileSync(path.join(ROOT, 'docs', 'metrics.md'), 'utf8');
  const documented = [...page.matchAll(/^\| `(hpcc_\w+)` \| (\w+) \|([^|]*)\|/gm)].map(
    ([, name, type, labels]) => [name, type, ...inBackticks(labels ?? '').sort()].join(' '),
  );
  const served: string[] = [];
  for (const [, registry] of registries()) served.push(...(await described(registry)));
  expect(documented.sort()).toEqual(served.sort());
});

test('docs/metrics.md names every metric of a collector, with its labels and which are gauges', async () => {
  const page = fs.readFileSync(path.join(ROOT, 'docs', 'metrics.md'), 'utf8');
  const section = /^## Collector\n([\s\S]*?)^## /m.exec(page)?.[1] ?? '';
  const documented = [...section.matchAll(/^\| (`hpcc_[^|]*)\|([^|]*)\|$/gm)].flatMap(
    ([, names = '', labels = '']) => {
      const [counted = '', gauged = ''] = names.split('gauges');
      const of = (type: string) => (name: string) =>
        [name, type, ...inBackticks(labels).sort()].join(' ');
      return [...inBackticks(counted).map(of('counter')), ...inBackticks(gauged).map(of('gauge'))];
    },
  );
  expect(documented.sort()).toEqual((await described(collectorRegistry())).sort());
});

const dashboards = (): string[] =>
  fs.readdirSync(path.join(ROOT, 'deploy', 'grafana')).filter((name) => name.endsWith('.json'));

test('each dashboard asks for metrics that are served, and for all of a collector', async () => {
  const served = new Set<string>();
  for (const [, registry] of [...registries(), ['collector', collectorRegistry()] as const]) {
    for (const { name } of await registry.getMetricsAsJSON()) served.add(name);
  }
  const asked = new Set<string>();
  for (const name of dashboards()) {
    const text = fs.readFileSync(path.join(ROOT, 'deploy', 'grafana', name), 'utf8');
    const own = text.match(/hpcc_\w+/g)?.map((metric) => metric.replace(/_bucket$/, '')) ?? [];
    expect(own.length).toBeGreaterThan(5);
    for (const metric of own) asked.add(metric);
  }
  expect([...asked].filter((name) => !served.has(name))).toEqual([]);
  const ofCollector = (await collectorRegistry().getMetricsAsJSON()).map(({ name }) => name);
  expect(ofCollector.filter((name) => !asked.has(name))).toEqual([]);
});

test('compose gives Grafana every dashboard, and labels of their legends are those of the metrics', async () => {
  const compose = fs.readFileSync(path.join(ROOT, 'deploy', 'compose.yaml'), 'utf8');
  for (const name of dashboards()) expect(compose).toContain(`/dashboards/${name}:ro`);
  const file = path.join(ROOT, 'deploy', 'grafana', 'hpcc-int.json');
  const { panels } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
    panels: { targets: { expr: string; legendFormat: string }[] }[];
  };
  const labels = new Map(
    (await described(collectorRegistry())).map((line) => {
      const [name = '', , ...own] = line.split(' ');
      return [name, own] as const;
    }),
  );
  for (const { expr, legendFormat } of panels.flatMap(({ targets }) => targets)) {
    const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
    for (const metric of expr.match(/hpcc_\w+/g) ?? []) {
      expect(labels.get(metric)).toEqual(expect.arrayContaining(named));
    }
  }
});

test('what deploy/ starts is pinned to a version, and its list has several nodes of a role', () => {
  const folder = path.join(ROOT, 'deploy');
  const read = (name: string): string => fs.readFileSync(path.join(folder, name), 'utf8');
  const images = ['compose.yaml', 'study.yaml', 'Containerfile'].flatMap((name) =>
    [...read(name).matchAll(/(?:image:|FROM) (\S+)/g)].map(([, image]) => image),
  );
  expect(images).toHaveLength(4);
  for (const image of images) expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(-|$)/);
  const nodes = parse(read('nodes.yaml')) as { labels: { role: string }; targets: string[] }[];
  const several = nodes
    .filter(({ targets }) => targets.length > 1)
    .map(({ labels }) => labels.role);
  expect(several).toEqual(['switch', 'agent']);
});

test('the switch serves metrics where it is asked to', async () => {
  const flags = ['--no-p4', '--log-console', '--grpc-server-addr', '127.0.0.1:0', '--metrics', '0'];
  const child = spawn(process.execPath, [path.join(ROOT, 'build/cli/main.js'), 'switch', ...flags]);
  try {
    let said = '';
    while (!said.includes('Metrics are served')) {
      const [bytes] = (await once(child.stdout, 'data')) as [Buffer];
      said += bytes.toString();
    }
    const port = /served on port (\d+)/.exec(said)?.[1];
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(text).toContain('hpcc_switch_drops_total{reason="queue-full"} 0\n');
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
});

describeIf(isOnPath('promtool'), 'promtool', 'promtool is not on PATH', () => {
  test('finds nothing wrong with any metric', async () => {
    const all: [string, Registry][] = [...registries(), ['collector', collectorRegistry()]];
    for (const [name, registry] of all) {
      const input = await registry.metrics();
      const { status, stderr, stdout } = spawnSync('promtool', ['check', 'metrics'], { input });
      expect([name, status, stdout.toString() + stderr.toString()]).toEqual([name, 0, '']);
    }
  });

  test('finds nothing wrong with the configuration', () => {
    const file = path.join(ROOT, 'deploy', 'prometheus.yaml');
    expect(spawnSync('promtool', ['check', 'config', file]).status).toBe(0);
  });
});

describeIf(isOnPath('prometheus'), 'Prometheus', 'prometheus is not on PATH', () => {
  test('scrapes all of them', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-prometheus-'));
    const servers: MetricsServer[] = [];
    for (const [, registry] of registries()) servers.push(await serveMetrics('0', registry));
    const targets = servers.map(({ port }) => `'127.0.0.1:${port}'`).join();
    const config = path.join(folder, 'prometheus.yaml');
    // The configuration of deploy/, with nodes of this test in its list.
    fs.copyFileSync(path.join(ROOT, 'deploy', 'prometheus.yaml'), config);
    fs.writeFileSync(path.join(folder, 'nodes.yaml'), `- targets: [${targets}]\n`);
    const listen = await freePort();
    const own = [`--config.file=${config}`, `--storage.tsdb.path=${folder}/data`];
    const child = spawn('prometheus', [...own, `--web.listen-address=127.0.0.1:${listen}`], {
      stdio: 'ignore',
    });
    try {
      const up = await eventually(async () => {
        const found = await query(listen, 'up == 1');
        return found.length === servers.length ? found.length : undefined;
      });
      expect(up).toBe(servers.length);
      expect(
        await query(listen, 'hpcc_switch_bytes_total{port="1",direction="sent"}'),
      ).toMatchObject([{ value: [expect.any(Number), '200'] }]);
    } finally {
      child.kill('SIGTERM');
      await once(child, 'exit');
      for (const server of servers) await server.close();
      fs.rmSync(folder, { recursive: true });
    }
  });
});

async function query(port: number, expression: string): Promise<unknown[]> {
  const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expression)}`;
  try {
    const answer = (await (await fetch(url)).json()) as { data?: { result?: unknown[] } };
    return answer.data?.result ?? [];
  } catch {
    return [];
  }
}

/** The first answer that there is, asked for again and again up to 50 seconds. */
async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let i = 0; i < 500; i++) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('no answer in 50 s');
}
