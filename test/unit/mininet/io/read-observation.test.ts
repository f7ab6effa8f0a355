import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { readObservation } from '../../../../mininet/io/read-observation';
import { bottleneckOf, queueSamples } from '../../../../mininet/observation/bottleneck';
import { flowSeries } from '../../../../mininet/observation/series';
import { RunWatch } from '../../../../mininet/observation/watch';
import { preparedCases } from '../../../support/mininet-fixture';
import { ROOT } from '../../../support/paths';

const FIXTURE = path.join(ROOT, 'test', 'fixtures', 'mininet', 'single-flow');

interface Line {
  readonly t: number;
  readonly flow: number;
}

describe('a run whose receiver runs the algorithm', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-observation-'));
  const lines = fs
    .readFileSync(path.join(FIXTURE, 'f1.trace.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const write = (name: string, all: readonly object[]): void =>
    fs.writeFileSync(
      path.join(folder, name),
      all.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
  const prepared = preparedCases('receiver-based', { folder, set: ['seconds=6'] })[0];
  if (prepared === undefined) throw new Error('receiver-based has no case');
  const { own, network, plan } = prepared;

  beforeAll(() => {
    fs.cpSync(FIXTURE, folder, { recursive: true });
    const ofSender = { queueBytes: null, hops: [], normalizedInflight: null, endsRound: null };
    write(
      'f1.trace.jsonl',
      lines.map((line) => ({ ...line, ...ofSender })),
    );
    const others = lines.map((line) => ({ ...line, source: '10.0.0.3', windowBytes: 1 }));
    write('agent-h2.trace.jsonl', [
      ...others,
      ...lines.map((line) => ({ ...line, source: '10.0.0.1' })),
    ]);
  });
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  test('has a trace of the receiver', () => {
    const agent = plan.services.find(({ name }) => name === 'agent-h2');
    expect(agent?.argv).toContain(path.join(folder, 'agent-h2.trace.jsonl'));
  });

  test('has window, U and queues of the flow, as the receiver tells them', () => {
    const observation = readObservation(own, network, plan);
    const [flow] = observation.flows;
    if (flow === undefined) throw new Error('f1 has a report');
    const series = flowSeries(flow);
    expect(series.windowBytes.every((bytes) => bytes > 1)).toBe(true);
    expect(Math.max(...series.normalizedInflight)).toBeGreaterThan(0.9);
    expect(queueSamples(observation, bottleneckOf(observation)).length).toBe(lines.length);
  });

  test.each([
    ['{"t":1}\nnonsense\n', 'cpu.jsonl:1: '],
    ['nonsense\n', 'cpu.jsonl:1: wanted JSON'],
  ])('refuses the lines %j by file and line', (text, message) => {
    const file = path.join(folder, 'cpu.jsonl');
    const before = fs.readFileSync(file);
    fs.writeFileSync(file, text);
    expect(() => readObservation(own, network, plan)).toThrow(message);
    fs.writeFileSync(file, before);
  });

  test('leaves out a last line that was cut off', () => {
    const file = path.join(folder, 'ports.jsonl');
    const { ports } = readObservation(own, network, plan);
    fs.appendFileSync(file, '{"seconds": 9');
    expect(readObservation(own, network, plan).ports).toEqual(ports);
  });

  test('is shown while it runs by what the receiver tells', () => {
    const watch = new RunWatch({
      title: '',
      name: '',
      parameters: {},
      of: network.spec.topology,
      generator: {
        version: '',
        commit: '',
        p4Program: '',
        p4Digest: '',
        executor: '',
        queueModel: '',
      },
    });
    const line = {
      t: 1,
      flow: 1,
      windowBytes: 5,
      rateBps: 1,
      hops: [] as [number, number, number | null][],
    };
    watch.trace(
      { ...line, normalizedInflight: null },
      { key: 'f1', source: 'h1', destination: 'h2' },
    );
    const told = { ...line, normalizedInflight: 0.5, source: '10.0.0.1' };
    watch.trace(told, { key: 'of h2', source: 'h1', destination: 'h2' });
    watch.network.counted(2e6, { sentBytes: new Map(), droppedPackets: 0 });
    expect(
      watch.network.result().series.map(({ normalizedInflight }) => normalizedInflight),
    ).toEqual([[0.5]]);
  });
});
