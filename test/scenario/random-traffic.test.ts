import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { writeFlowFiles } from '../../emulator/io/inputs/flow-files';
import { runScenario } from '../support/shared-runs';
import { loadScenario, loadSimulatorFiles } from '../../emulator/io/inputs/scenario-files';
import { parseScenario } from '../../emulator/scenario/schema';
import { hpcc, hpccHere } from '../support/command-line';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-traffic-'));

afterAll(() => {
  fs.rmSync(folder, { recursive: true });
});

describe('Hadoop traffic with random incasts on a fat tree', () => {
  it('finishes every flow, and tells slowdowns by size that sizes explain', async () => {
    const { result } = await runScenario({ scenario: loadScenario('hadoop-incast'), seed: 1 });
    expect(result.violations).toEqual([]);
    expect(result.flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
    const { slowdowns = [] } = result;
    expect(slowdowns.length).toBeGreaterThanOrEqual(4);
    // Alone on idle links no flow is faster than the ideal time.
    for (const bin of slowdowns) expect(bin.p50).toBeGreaterThanOrEqual(1);
    expect(slowdowns[0]?.p50).toBeLessThan(1.2);
    expect(result.collectives?.map(({ name }) => name)).toEqual(['hadoop', 'queries']);
  });
});

describe('flow files', () => {
  const scenario = parseScenario(
    [
      'name: small',
      'title: few flows',
      'topology: { kind: star, hosts: 4, rateGbps: 100, delayNs: 1000 }',
      // A flow at the origin: times in a flow file count from the first one.
      'flows: [{ from: h1, to: h2, bytes: 100, startUs: 0 }]',
      'workloads:',
      '  - { kind: poisson, name: w, distribution: AliStorage2019, load: 0.3, durationUs: 100 }',
      'parameters: { baseRttNs: 4400 }',
    ].join('\n'),
    'small.yaml',
  );

  it('run as the scenario does that they were written from', async () => {
    const files = writeFlowFiles(scenario, 3, folder);
    expect(files.flows).toBeGreaterThan(10);
    const fromFiles = loadSimulatorFiles(files.topologyFile, files.flowFile);
    const { parameters } = scenario;
    const one = await runScenario({ scenario, seed: 3 });
    const other = await runScenario({ scenario: { ...fromFiles, parameters }, seed: 3 });
    const completion = (fct: number | null): string => fct?.toFixed(3) ?? 'unfinished';
    expect(other.result.flows.map(({ bytes, fctUs }) => [bytes, completion(fctUs)])).toEqual(
      one.result.flows.map(({ bytes, fctUs }) => [bytes, completion(fctUs)]),
    );
  });

  it('are written by one command, for a topology of the simulator too', () => {
    const topology = path.join(folder, 'topology.txt');
    const out = path.join(folder, 'again');
    const flags = ['--distribution', 'FB_Hadoop', '--load', '0.4', '--duration-us', '300'];
    const run = hpcc('flows', '--topology', topology, ...flags, '--out', out, '--json');
    expect(run.status).toBe(0);
    const told = JSON.parse(run.stdout) as { flows: number; load: number };
    const lines = fs.readFileSync(path.join(out, 'flows.txt'), 'utf8').trimEnd().split('\n');
    expect(Number(lines[0])).toBe(told.flows);
    expect(lines).toHaveLength(told.flows + 1);
    expect(fs.readFileSync(path.join(out, 'topology.txt'), 'utf8')).toBe(
      fs.readFileSync(topology, 'utf8'),
    );
  });

  it.each([
    [['incast16', '--distribution', 'WebSearch', '--load', '1.5'], '--load: must be at most 1'],
    [['incast16', '--distribution', 'Nothing'], "no distribution 'Nothing': neither a file nor"],
    [['incast16', '--topology', 'x'], 'give either a scenario or --topology'],
    [['ccm-ring'], 'a flow file cannot say that messages wait for others'],
  ])('are refused for %j', async (args, message) => {
    const run = await hpccHere('flows', ...args, '--out', path.join(folder, 'none'));
    expect(run.status).toBe(1);
    expect(run.stderr).toContain(message);
    expect(fs.existsSync(path.join(folder, 'none'))).toBe(false);
  });
});
