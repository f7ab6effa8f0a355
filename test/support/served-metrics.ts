import type { Registry } from 'prom-client';
import { serveMetrics } from '../../common/io/metrics-server';
import { hpccppFactory } from '../../host-agent/algorithm/window-form';
import { metricsRegistry } from '../../host-agent/io/process/metrics';
import { HostAgent } from '../../host-agent/transport/host';
import { switchMetrics } from '../../switch/io/switch-metrics';
import type { LiveSwitch } from '../../switch/io/live/live-switch';
import { noDrops } from '../../switch/v1model/switch-counters';

const IDLE = { received: 0, ignored: 0, sent: 0, overflowed: 0, oversized: 0, sendFailed: 0 };
const LINK_RATE = 10e6;
const PORTS = [1, 2];

/** Metrics of a switch whose ports are half and a quarter full, as they count on in real time. */
function switchRegistry(seconds: () => number): Registry {
  const ports = new Map(
    PORTS.map((port) => [port, { port, interfaceName: `eth${port}`, counters: () => IDLE }]),
  );
  const counters = () => ({
    drops: { ...noDrops(), 'queue-full': Math.floor(seconds()) },
    ports: new Map(
      PORTS.map((port) => {
        const txBytes = Math.round((seconds() * LINK_RATE) / 8 / (2 * port));
        return [port, { rxPackets: 0, rxBytes: 0, txPackets: 0, txBytes }];
      }),
    ),
  });
  return switchMetrics(
    { ports, unattached: 0 } as unknown as LiveSwitch,
    { counters, queueBytes: (port) => (port === 1 ? 3000 : 0) },
    new Map(PORTS.map((port) => [port, LINK_RATE])),
  );
}

/** And of an agent with one flow. */
function agentRegistry(seconds: () => number): Registry {
  const link = { address: 1, mac: 1, linkRate: 1e9, baseRtt: 1e9 };
  const agent = new HostAgent({ ...link, congestionControl: hpccppFactory() });
  const flow = () => ({
    ...{ flow: 7, acknowledgedBytes: Math.round(seconds() * 6e5), segmentsRetransmitted: 2 },
    ...{ windowBytes: 5000, pacingRate: 5e6, isComplete: false, seconds: seconds(), hops: 1 },
    ...{ withTelemetry: 1, withoutTelemetry: 0, queueBytes: 2800, queueBytesMax: 3000 },
    telemetryRejected: 0,
  });
  return metricsRegistry({ host: () => agent.counters(), port: () => IDLE, flows: () => [flow()] });
}

/** Serves both as `--metrics` does, and nothing else. */
export async function serveSwitchAndAgent() {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  const registries = { s1: switchRegistry(seconds), h1: agentRegistry(seconds) };
  const served = await Promise.all(
    Object.entries(registries).map(
      async ([name, registry]) => [name, await serveMetrics('0', registry)] as const,
    ),
  );
  return {
    /** What `hpcc view --live` is told. */
    flags: served.flatMap(([name, { port }]) => ['--metrics', `${name}=${port}`]),
    close: async (name: string): Promise<void> => {
      await served.find(([each]) => each === name)?.[1].close();
    },
  };
}
