import {
  parseSimulatorFlows,
  parseSimulatorTopology,
} from '../../../../emulator/scenario/simulator-format';
import type { FlowDocument, TopologyDocument } from '../../../../emulator/scenario/schema';

type CustomTopology = Extract<TopologyDocument, { kind: 'custom' }>;

const STAR = `3 1 2
0
0 1 100Gbps 1000ns 0
0 2 25Gbps 0.001ms 0.01
`;
const read = (text: string): ReturnType<typeof parseSimulatorTopology> =>
  parseSimulatorTopology({ name: 'topology.txt', text });
const topology = (text: string): CustomTopology => read(text).topology;
const readFlows = (text: string): ReturnType<typeof parseSimulatorFlows> =>
  parseSimulatorFlows({ name: 'flow.txt', text }, topology(STAR));
const flows = (text: string): readonly FlowDocument[] => readFlows(text).flows;

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

  test('has a legend behind the links, as the file that comes with the simulator', () => {
    expect(read(`${STAR}First line: total node #, switch node #, link #\n`).warnings).toEqual([]);
  });

  test('is warned about where more links follow than it announces', () => {
    expect(read(`${STAR}\n0 1 25Gbps 1us 0\n0 2 25Gbps 1us 0\n`).warnings).toEqual([
      'topology.txt:6: 2 lines follow the 2 links that the first line announces and are left out, ' +
        'as the simulator does; announce 4 to use them',
    ]);
  });

  test('is warned about where no link leads to a switch', () => {
    expect(read('4 2 2\n2 3\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n').warnings).toEqual([
      'topology.txt: no link leads to s3, so the network is without',
    ]);
  });

  const LINKS = '0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n0 3 1Gbps 1us 0\n1 3 1Gbps 1us 0\n';
  test.each([
    ['4 2 4\n2 3\n', ['s2', 's3']],
    ['4 2 1 4\n2 3\n', ['s2', 's3']],
    ['4 2 1 4 10 40\n2\n3\n', ['s2', 's3']],
    ['4 2 1 4 10000000000.0 40Gbps\n2 3\n', ['s2', 's3']],
    ['4 2 1 1 4\n2 3\n', ['nv2', 's3']],
    ['4 2 1 1 4 H100\n2 3\n', ['nv2', 's3']],
    ['4 2 1 1 4 A100 2\n2 3\n', ['nv2', 's3']],
    ['4 2 0 2 4 NONE\n2 3\n', ['s2', 's3']],
    ['\uFEFF4 2 4\r\n2 3\r\n', ['s2', 's3']],
  ])('is recognised by the fields of its header: %j', (header, switches) => {
    const { switches: found, hosts, links } = topology(header + LINKS);
    expect({ found, hosts, links: links.length }).toEqual({
      found: switches,
      hosts: ['h0', 'h1'],
      links: 4,
    });
  });

  test('may have hosts that are joined directly, and no line of ids', () => {
    expect(topology('2 0 1\n\n0 1 200Gbps 0.005ms 0\n')).toMatchObject({
      switches: [],
      links: [{ between: ['h0', 'h1'], delayNs: 5000 }],
    });
  });

  test.each([
    ['100Gbps', 100],
    ['100Gb/s', 100],
    ['12.5GB/s', 100],
    ['12.5GBps', 100],
    ['100000000000', 100],
    ['25000000000.0', 25],
    ['100000Mb/s', 100],
    ['500kbps', 0.0005],
    ['500Kb/s', 0.0005],
    ['62.5kB/s', 0.0005],
    ['62.5KBps', 0.0005],
    ['1000000bps', 0.001],
    ['125000B/s', 0.001],
    ['1Gib/s', 1.073741824],
    ['1MiB/s', 0.008388608],
    ['1.6Tbps', 1600],
    ['.5Gbps', 0.5],
  ])('takes the rate %s', (rate, gbps) => {
    expect(topology(`2 0 1\n0 1 ${rate} 1us 0\n`).links[0]?.rateGbps).toBe(gbps);
  });

  test.each([
    ['1us', 1000],
    ['1000000ps', 1000],
    ['1000ns', 1000],
    ['0.001ms', 1000],
    ['0.000001s', 1000],
    ['0.000001', 1000],
    ['1e-6', 1000],
    ['+1us', 1000],
    ['1000000000fs', 1000],
    ['0', 0],
    ['0.1min', 6e9],
  ])('takes the delay %s', (delay, ns) => {
    expect(topology(`2 0 1\n0 1 1Gbps ${delay} 0\n`).links[0]?.delayNs).toBe(ns);
  });

  test.each([
    ['3 1\n', 'topology.txt:1: wanted 3 numbers (nodes switches links), 4'],
    ['3 1 2 H100\n', 'found 4 fields: 3 1 2 H100'],
    ['9 8 1 1 16 1 1\n', 'found 7 fields'],
    ['3 1 x\n', 'found 3 fields: 3 1 x'],
    ['3 3 2\n', 'topology.txt:1: wanted fewer switches than nodes, so that there are hosts'],
    ['3 1 0\n', 'topology.txt:1: wanted at least 1 link, found 0'],
    ['4 2 2\n2 2\n', 'topology.txt:2: switch id 2 appears twice'],
    [
      '5 2 1 2 4 H100\n3 4\n0 3 1Gbps 1us 0\n',
      'topology.txt:3: wanted the ids of 3 switches, found 2 before 1Gbps',
    ],
    ['4 1 2\n2 3\n', 'topology.txt:2: wanted the ids of 1 switches, and there is 3 behind them'],
    ['3 1 1\n2\n2 2 1Gbps 1us 0\n', 'topology.txt:3: both ends of the link are s2'],
    ['3 1 1\n2\n0 2 0Gbps 1us 0\n', 'topology.txt:3: rate must be a number from 0.000001 to'],
    ['3 1 1\n2\n0 2 1e9Gbps 1us 0\n', 'topology.txt:3: field 3 must be a rate as ns-3 writes it'],
    ['3 1 1\n2\n0 2 -1Gbps 1us 0\n', 'topology.txt:3: field 3 must be a rate as ns-3 writes it'],
    ['3 1 1\n2\n0 2 100Gibps 1us 0\n', 'topology.txt:3: field 3 must be a rate as ns-3 writes it'],
    ['3 1 1\n2\n0 2 1Gbps -1us 0\n', 'topology.txt:3: delay must be a number from 0 to'],
    [
      '3 1 1\n2\n0 2 1Gbps 1us 1.5\n',
      'topology.txt:3: field 5 must be a loss rate from 0 to 1, found 1.5',
    ],
    [
      '3 1 1\n2\n0 2 1Gbps 1us abc\n',
      'topology.txt:3: field 5 must be a loss rate from 0 to 1, found abc',
    ],
    ['3 1 1\n2\n0 2 1Gbps 1us -0.1\n', 'found -0.1'],
    ['3 1 1\n2\n0 2 1Gbps 1us 0 7\n', 'topology.txt:3: wanted src dst rate delay error, found 6'],
    ['3 1 1\n2\n0 2 1Gbps\n', 'topology.txt:3: field 4 must be a time as ns-3 writes it'],
    ['', 'topology.txt:1: file ends before the counts of nodes, switches and links'],
    ['3 1 2\n9\n', 'topology.txt:2: switch id must be below 3, found 9'],
    ['3 1 2\n0\n0 1 100Gbps 1000ns 0\n', 'topology.txt:4: file ends before link 2 of 2'],
    ['3 1 1\n0\n0 7 100Gbps 1us 0\n', 'topology.txt:3: node id must be below 3, found 7'],
    ['3 1 1\n0\n0 1 100G 1us 0\n', 'topology.txt:3: field 3 must be a rate as ns-3 writes it'],
    ['3 1 1\n0\n0 1 100Gbps fast 0\n', 'topology.txt:3: field 4 must be a time as ns-3 writes it'],
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

  test('may lack the port, as in conweave', () => {
    expect(flows('1\n2 1 3 60000000 2.0\n')).toEqual([
      { from: 'h2', to: 'h1', bytes: 60000000, startUs: 0 },
    ]);
  });

  test('is warned about where more flows follow than it announces', () => {
    const text = '1\n2 1 3 100 1 2\n1 2 3 100 1 2e0\nFirst line: flow #\n';
    expect(readFlows(text).warnings).toEqual([
      'flow.txt:3: 1 line follows the 1 flow that the first line announces and is left out, ' +
        'as the simulator does; announce 2 to use them',
    ]);
  });

  test('is warned about where flows have several priorities, which are not used', () => {
    expect(readFlows('2\n2 1 3 100 1 2.0\n1 2 1 100 1 2.0\n').warnings).toEqual([
      'flow.txt: priorities (3, 1) are not used: all flows have one',
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
    [
      '1\n1 2 3 10000000 2 9\n',
      'flow.txt:2: dport must be at most 65535, found 10000000; flows of the DCQCN simulator',
    ],
    ['1\n2 1 3 100 0 2.0\n', 'flow.txt:2: bytes must be at least 1'],
    ['1\n2 1 3 100 many 2.0\n', 'flow.txt:2: bytes must be a whole number, found many'],
    ['0\n', 'flow.txt:1: wanted at least 1 flow, found 0'],
    ['1 2\n', 'flow.txt:1: wanted the number of flows alone, found 1 2'],
    ['1\n1 1 3 100 1 2.0\n', 'flow.txt:2: source and destination are both 1'],
    ['1\n2 1 3 100\n', 'flow.txt:2: wanted src dst priority dport bytes start, or the same'],
    ['1\n2 1 3 100 1 -2.0\n', 'flow.txt:2: start must be seconds such as 2.000500000, found -2.0'],
    ['1\n2 1 3 100 1e20 2.0\n', 'flow.txt:2: bytes must be a whole number, found 1e20'],
    ['1\n2 1 3 100 1 soon\n', 'flow.txt:2: start must be seconds such as 2.000500000, found soon'],
  ])('refuses %j with file, line and reason', (text, message) => {
    expect(() => flows(text)).toThrow(message);
  });
});
