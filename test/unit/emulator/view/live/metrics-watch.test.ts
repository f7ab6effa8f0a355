import { NetworkIndex } from '../../../../../emulator/view/network/network-index';
import type { RunView } from '../../../../../emulator/view/data/page-data';
import { livePage } from '../../../../../emulator/view/live/live-page';
import { MetricsWatch } from '../../../../../emulator/view/live/metrics-watch';
import { parseMetrics } from '../../../../../emulator/view/live/metrics-text';
import { RESULT } from '../../../../support/result';

const { generator } = RESULT;

const switchText = (sent: number, queue: number, drops: number): string => `
# HELP hpcc_switch_bytes Bytes of packets of each port of the pipeline
# TYPE hpcc_switch_bytes counter
hpcc_switch_bytes_total{port="1",direction="received"} 5
hpcc_switch_bytes_total{port="1",direction="sent"} ${sent}
hpcc_switch_queue_bytes{port="1"} ${queue}
hpcc_switch_link_bytes_per_second{port="1"} 1250000
hpcc_switch_drops_total{reason="queue-full"} ${drops}
# EOF`;

const agentText = (acknowledged: number): string => `
hpcc_agent_frames_total{kind="sent"} 1
hpcc_flow_window_bytes{flow="7"} 12500
hpcc_flow_pacing_bytes_per_second{flow="7"} 1000000
hpcc_flow_acknowledged_bytes{flow="7"} ${acknowledged}
hpcc_flow_queue_bytes{flow="7"} 2112`;

const told = (sent: number, queue: number, drops: number) =>
  new Map([
    ['s1', parseMetrics(switchText(sent, queue, drops))],
    ['h1', parseMetrics(agentText(sent))],
  ]);

test('switches and agents are shown as their metrics tell, from the first look on', () => {
  const watch = new MetricsWatch(told(1000, 0, 4), { title: 's1', generator, topology: undefined });
  for (let i = 1; i <= 8; i++) watch.note(i * 250_000, told(1000 + i * 250_000, i * 100, 4 + i));
  const page = livePage(watch.network, './hpcc view --live', 1000);
  expect(page.facts).toContainEqual(['80.0 %', 'load of the busiest link now']);
  expect(page.facts).toContainEqual(['8', 'drops']);
  const { network } = page.run as RunView;
  expect(network.groups[0]?.nodes.map(({ name }) => name)).toEqual(['s1', 's1 port 1']);
  expect(new NetworkIndex(network).links[0]?.series?.load.slice(0, -1)).toEqual(
    Array(20).fill(800),
  );
  expect(page.charts.map(({ id }) => id)).toEqual(['queue', 'rates', 'windows', 'drops']);
  const [rates] = page.charts.find(({ id }) => id === 'rates')?.series ?? [];
  expect(rates).toMatchObject({ name: '1: h1 to peer of 7' });
  expect(rates?.y[0]).toBe(8);
  expect(page.charts.map(({ wholeFile }) => wholeFile)).toEqual(Array(4).fill(undefined));
  // A queue was as long since the look before.
  expect(page.charts[0]?.series[1]?.y.slice(0, 12)).toEqual(
    [1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5].map((look) => look / 10),
  );
  const queues = page.charts[0]?.series.map(({ name }) => name);
  expect(queues).toEqual(['bottleneck link from h1', 's1:1->s1 port 1:1']);
});

test('a switch that has begun anew counts from 0', () => {
  const watch = new MetricsWatch(told(1000, 0, 4), { title: 's1', generator, topology: undefined });
  watch.note(250_000, told(400, 0, 0));
  expect(watch.network.result().links[0]?.bytes).toBe(400);
  expect(watch.network.result().counters.drops).toEqual({ counted: 0 });
});

test('reads escapes and leaves out what is no sample', () => {
  const found = parseMetrics('a{b="x\\"y\\\\\\n"} 1\na NaN\nnonsense\n# a 3\nc 4 1234\n');
  expect(found.get('a')).toEqual([{ labels: new Map([['b', 'x"y\\\n']]), value: 1 }]);
  expect(found.get('c')).toMatchObject([{ value: 4 }]);
  expect(found.size).toBe(2);
});
