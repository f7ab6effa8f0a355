import {
  parseSimulatorFlows,
  parseSimulatorTopology,
} from '../../../../emulator/scenario/simulator-format';
import type { TopologyDocument } from '../../../../emulator/scenario/schema';

const STAR = `3 1 2
0
0 1 100Gbps 1000ns 0
0 2 25Gbps 0.001ms 0.01
`;
const topology = (text: string): TopologyDocument =>
  parseSimulatorTopology({ name: 'topology.txt', text });
const flows = (text: string): ReturnType<typeof parseSimulatorFlows> =>
  parseSimulatorFlows({ name: 'flow.txt', text }, topology(STAR));

describe('the HPCC simulator topology format', () => {
  test('is read with hosts, switches and links', () => {
    expect(topology(STAR)).toEqual({
      kind: 'custom',
      switches: ['s0'],
      hosts: ['h1', 'h2'],
      links: [
        { between: ['s0', 'h1'], rateGbps: 100, delayNs: 1000, lossRate: 0 },
        { between: ['s0', 'h2'], rateGbps: 25, delayNs: 1000, lossRate: 0.01 },
      ],
    });
  });

  test('ignores lines beyond the announced number of links', () => {
    expect(topology(`${STAR}garbage\n`)).toMatchObject({ kind: 'custom' });
  });

  test.each([
    ['3 1\n', 'topology.txt:1: links must be a whole number, found nothing'],
    ['3 1 2\n9\n', 'topology.txt:2: switch id must be below 3, found 9'],
    ['3 1 2\n0\n0 1 100Gbps 1000ns 0\n', 'topology.txt:4: file ends before link 2 of 2'],
    ['3 1 1\n0\n0 7 100Gbps 1us 0\n', 'topology.txt:3: node id must be below 3, found 7'],
    ['3 1 1\n0\n0 1 100G 1us 0\n', 'topology.txt:3: field 3 must be a number with bps, Kbps'],
    ['3 1 1\n0\n0 1 100Gbps fast 0\n', 'topology.txt:3: field 4 must be a number with ns, us'],
  ])('refuses %j with file, line and reason', (text, message) => {
    expect(() => topology(text)).toThrow(message);
  });
});

describe('the HPCC simulator flow format', () => {
  test('is read with start times counted from the earliest flow', () => {
    expect(flows('2\n2 1 3 100 60000000 2.000000000\n1 2 3 100 8059 2.000500000\n')).toEqual([
      { from: 'h2', to: 'h1', bytes: 60000000, startUs: 0 },
      { from: 'h1', to: 'h2', bytes: 8059, startUs: 500 },
    ]);
  });

  test('keeps picoseconds of start times exactly', () => {
    const [, second] = flows('2\n2 1 3 100 1 2.000000000\n2 1 3 100 1 2.000000007872\n');
    expect(second?.startUs).toBe(0.007872);
  });

  test.each([
    ['x\n', 'flow.txt:1: the number of flows must be a whole number, found x'],
    ['2\n2 1 3 100 1 2.0\n', 'flow.txt:3: file ends before flow 2 of 2'],
    ['1\n0 1 3 100 1 2.0\n', 'flow.txt:2: 0 is no host of the topology'],
    ['1\n2 1 3 100 0 2.0\n', 'flow.txt:2: bytes must be at least 1'],
    ['1\n2 1 3 100 many 2.0\n', 'flow.txt:2: bytes must be a whole number, found many'],
    ['1\n2 1 3 100 1 soon\n', 'flow.txt:2: start must be seconds such as 2.000500000, found soon'],
  ])('refuses %j with file, line and reason', (text, message) => {
    expect(() => flows(text)).toThrow(message);
  });
});
