import { connectionsOf } from '../../../../../emulator/workload/kinds/connections';
import { trafficStreamOf } from '../../../../../emulator/workload/kinds/stream-of-traffic';
import { workloadSchema } from '../../../../../emulator/workload/kinds/workload';

const HOSTS = ['h1', 'h2', 'h3', 'h4'].map((name, i) => ({ name, rateGbps: 10 * (i + 1) }));
const context = { seed: 3, hosts: HOSTS };

const poisson = (name: string, startUs: number) =>
  workloadSchema.parse({
    kind: 'poisson',
    name,
    startUs,
    distribution: [
      [100, 50],
      [20_000, 100],
    ],
    load: 0.5,
    durationUs: 300,
  });

const incast = (iterations: number) =>
  workloadSchema.parse({
    kind: 'incast',
    name: 'query',
    receiver: 'h1',
    senders: ['h2', 'h3', 'h4'],
    bytes: 5000,
    startUs: 40,
    jitterUs: 30,
    iterations,
  });

const flows = [
  { from: 'h1', to: 'h2', bytes: 10, startUs: 90, dscp: 3 },
  { from: 'h3', to: 'h4', bytes: 20, startUs: 5 },
];

describe('the traffic of a scenario as a stream', () => {
  const traffic = { flows, workloads: [poisson('a', 0), incast(1), poisson('b', 50)] };
  const { connections, collectives } = connectionsOf(traffic, context);
  const stream = trafficStreamOf(traffic, context, 1);
  const streamed = [...(stream?.newSchedule().rest() ?? [])];

  it('has the same flows under the same numbers, each time', () => {
    const byNumber = [...streamed].sort((a, b) => a.index - b.index);
    expect(byNumber.map(({ index }) => index)).toEqual(connections.map((_, i) => i));
    expect(byNumber.map(({ connection }) => connection)).toEqual(connections);
    expect([...(stream?.newSchedule().rest() ?? [])]).toEqual(streamed);
    expect(connections.length).toBeGreaterThan(50);
  });

  it('is in the order of the starts', () => {
    const starts = streamed.map(({ connection }) => connection.messages[0]?.startUs ?? -1);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
  });

  it('knows sums, pairs and workloads before it runs', () => {
    const bytes = connections.reduce((sum, { messages }) => sum + (messages[0]?.bytes ?? 0), 0);
    expect(stream).toMatchObject({ first: connections });
    expect(stream?.newSchedule()).toMatchObject({ count: connections.length, bytes });
    const pairs = new Set(connections.map(({ from, to }) => `${from} ${to}`));
    expect(stream?.pairs.map(({ from, to }) => `${from} ${to}`)).toEqual([...pairs]);
    expect(stream?.workloads.map(({ name, connections: count }) => [name, count])).toEqual(
      collectives.map((one) => [one.name, one.connections.length]),
    );
  });

  it.each([
    ['few flows', traffic, 1e6],
    ['messages that wait for others', { flows, workloads: [incast(2)] }, 1],
  ])('is not made of %s', (_, given, from) => {
    expect(trafficStreamOf(given, context, from)).toBeUndefined();
  });
});
