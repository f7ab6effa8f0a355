import { milliseconds } from '../../../../../common/units/units';
import { tcpMetricsRegistry } from '../../../../../host-agent/io/tcp/tcp-metrics';
import { sampleLine } from '../../../../../host-agent/tcp/tcp-settings';
import { TcpSimulation } from '../../../../support/simulated-tcp';

const simulated = () =>
  new TcpSimulation({ capacity: 20e6, rtt: milliseconds(5), starts: [0] }).run(
    milliseconds(500) as number,
  );

describe('metrics of connections', () => {
  test('are what control says when they are asked for', async () => {
    const [control] = simulated().controls;
    if (control === undefined) throw new Error('no control');
    const registry = tcpMetricsRegistry({
      counters: () => control.counters(),
      connections: () => control.current(),
    });
    const text = await registry.metrics();
    const name = 'connection="10.0.0.2:40000-0.0.0.1:5201"';
    const { probesSent } = control.counters();
    expect(text).toContain(`hpcc_tcp_events_total{kind="probesSent"} ${probesSent}`);
    expect(text).toContain('hpcc_tcp_connections{controlled="yes"} 1');
    expect(text).toContain(`hpcc_tcp_probes_sent{${name}} ${probesSent}`);
    expect(text).toMatch(/hpcc_tcp_rate_bytes_per_second\{.*\} [12]\d{6}/);
  });
});

describe('the trace of samples', () => {
  test('has a line for each, in Unix time', () => {
    const sample = simulated().samples[0]?.at(-1);
    if (sample === undefined) throw new Error('no sample');
    const line = sampleLine(sample, 1000);
    expect(line.endsWith('}\n')).toBe(true);
    const last = JSON.parse(line) as Record<string, unknown>;
    expect(Object.keys(last)).toEqual([
      't',
      'flow',
      'role',
      'windowBytes',
      'rateBps',
      'queueBytes',
      'queueDelayUs',
      'rttUs',
      'hops',
    ]);
    expect(last).toMatchObject({ flow: '10.0.0.2:40000-0.0.0.1:5201', hops: 1 });
    expect(Number(last.t)).toBeGreaterThan(1000.4);
    expect(Number(last.t)).toBeLessThan(1000.5);
  });
});
