import { metricsRegistry } from '../../../../../host-agent/io/process/metrics';
import type { MetricsSource } from '../../../../../host-agent/io/process/metrics';
import { HostAgent } from '../../../../../host-agent/transport/host';
import { hpccppFactory } from '../../../../../host-agent/algorithm/window-form';

const agent = new HostAgent({
  address: 1,
  mac: 1,
  linkRate: 1e9,
  baseRtt: 1e9,
  congestionControl: hpccppFactory(),
});
const FIGURES = {
  windowBytes: 5,
  pacingRate: 6,
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
const FLOW = {
  ...FIGURES,
  flow: 7,
  acknowledgedBytes: 1000,
  segmentsRetransmitted: 2,
  timeouts: 0,
  isComplete: false,
  seconds: 1,
};

const source: MetricsSource = {
  host: () => agent.counters(),
  port: () => ({ received: 3, ignored: 0, sent: 4, overflowed: 0, oversized: 0, sendFailed: 0 }),
  flows: () => [FLOW],
  controlled: () => [
    { ...FIGURES, source: '10.0.0.1', flow: 7, controlAt: 'receiver', windowBytes: 11 },
  ],
  differing: () => [{ peer: '10.0.0.2', differences: [{ setting: 'carrier' }] }],
  paused: () => ({ pauses: 3, resumes: 2, storms: 1, seconds: 0.25 }),
};

describe('metrics', () => {
  test('are read anew at each scrape', async () => {
    const registry = metricsRegistry(source);
    const first = await registry.metrics();
    expect(await registry.metrics()).toBe(first);
    for (const line of [
      'hpcc_agent_frames_total{kind="received"} 3',
      'hpcc_agent_frames_total{kind="sent"} 4',
      'hpcc_flow_window_bytes{flow="7"} 5',
      'hpcc_flow_window_bytes{flow="7",source="10.0.0.1"} 11',
      'hpcc_flow_normalized_inflight{flow="7",source="10.0.0.1"} 0.5',
      'hpcc_agent_settings_differ{peer="10.0.0.2",setting="carrier"} 1',
      'hpcc_flow_hops{flow="7",source="10.0.0.1"} 1',
      'hpcc_flow_queue_bytes{flow="7"} 8',
      'hpcc_agent_packets_total{kind="acksLate"} 0',
      'hpcc_agent_pauses_total{kind="pause"} 3',
      'hpcc_agent_pauses_total{kind="resume"} 2',
      'hpcc_agent_pause_storms_total 1',
      'hpcc_agent_paused_seconds_total 0.25',
    ]) {
      expect(first.split('\n')).toContain(line);
    }
  });
});
