import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { milliseconds } from '../../../../../common/units/units';
import { SampleTrace } from '../../../../../host-agent/io/tcp/sample-trace';
import { tcpMetricsRegistry } from '../../../../../host-agent/io/tcp/tcp-metrics';
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
    expect(text).toMatch(/hpcc_tcp_rate_bits_per_second\{.*\} 1\d{7}/);
  });
});

describe('the trace of samples', () => {
  test('has a line for each, in Unix time', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-trace-'));
    const file = path.join(folder, 'samples.jsonl');
    const samples = simulated().samples[0] ?? [];
    const trace = new SampleTrace(file, 1000);
    samples.forEach((sample) => trace.add(sample));
    trace.close();
    const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
    fs.rmSync(folder, { recursive: true });
    expect(lines).toHaveLength(samples.length);
    const last = JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>;
    expect(Object.keys(last)).toEqual([
      ...['t', 'flow', 'role', 'windowBytes', 'rateBps'],
      ...['queueBytes', 'queueDelayUs', 'rttUs', 'hops'],
    ]);
    expect(last).toMatchObject({ flow: '10.0.0.2:40000-0.0.0.1:5201', hops: 1 });
    expect(Number(last.t)).toBeGreaterThan(1000.4);
    expect(Number(last.t)).toBeLessThan(1000.5);
  });

  test('cannot be written where there is no folder', () => {
    expect(() => new SampleTrace('/no/such/folder/file', 0)).toThrow('--trace /no/such/folder');
  });
});
