import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { hpccHere } from '../../../support/command-line';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-int-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);

/** Two packets, as they stand before a transit hop or behind one. */
function capture(name: string, hops: number, count = 2): Promise<{ readonly status: unknown }> {
  const nodes = Array.from({ length: hops }, (_, i) => `{ nodeId: ${i + 1} }`);
  const int = `{ remainingHops: ${9 - hops}, hops: [${nodes.join(', ')}] }`;
  const layers = `[ethernet, ipv4, udp: { destinationPort: 5000 }, int-shim, int-md: ${int}, payload: abcd]`;
  fs.writeFileSync(at('frames.yaml'), `frames: [{ count: ${count}, layers: ${layers} }]\n`);
  return hpccHere('int', 'craft', at('frames.yaml'), '--pcap', at(name));
}

beforeAll(async () => {
  for (const [name, hops, count] of [
    ['before.pcap', 1, 2],
    ['behind.pcap', 2, 2],
    ['fewer.pcap', 2, 1],
    ['more.pcap', 2, 3],
  ] as const) {
    expect((await capture(name, hops, count)).status).toBe(0);
  }
});

test('what is dissected is crafted again, byte for byte', async () => {
  const { stdout, status } = await hpccHere('int', 'dissect', at('behind.pcap'));
  expect(status).toBe(0);
  fs.writeFileSync(at('again.json'), stdout);
  const plain = await hpccHere('int', 'craft', at('again.json'));
  const first = await hpccHere('int', 'craft', at('frames.yaml'));
  expect(plain.stdout.split('\n')[0]).toBe(first.stdout.split('\n')[0]);
  expect(plain.stdout.trim().split('\n')).toHaveLength(2);
});

test('what a damaged capture still has is printed as a whole document, and nothing without a frame', async () => {
  fs.writeFileSync(at('cut.pcap'), fs.readFileSync(at('behind.pcap')).subarray(0, -5));
  const cut = await hpccHere('int', 'dissect', at('cut.pcap'));
  expect([cut.status, cut.stderr]).toEqual([1, expect.stringContaining('cut.pcap')]);
  expect(JSON.parse(cut.stdout)).toEqual({ frames: [expect.anything()] });
  fs.writeFileSync(at('none.pcap'), 'no capture');
  const none = await hpccHere('int', 'dissect', at('none.pcap'));
  expect([none.status, none.stdout]).toEqual([1, '']);
});

test('data that a switch has trimmed are said to be', async () => {
  const layers = '[ethernet, ipv4: { dscp: 15 }, udp, hpcc: { length: 1000 }, payload: ab]';
  fs.writeFileSync(at('trimmed.yaml'), `frames: [{ layers: ${layers} }]\n`);
  await hpccHere('int', 'craft', at('trimmed.yaml'), '--pcap', at('trimmed.pcap'));
  const { stdout, stderr, status } = await hpccHere('int', 'dissect', at('trimmed.pcap'));
  expect([status, stderr]).toEqual([
    0,
    'frame 1: trimmed: a switch has cut off 998 bytes of its payload\n',
  ]);
  expect(stdout).toContain('"sequence":0,"length":1000}}');
});

test('a hop that follows the specification passes, in TAP with its plan at the end', async () => {
  const judged = await hpccHere('int', 'judge', at('before.pcap'), at('behind.pcap'));
  const { stdout, stderr, status } = judged;
  const lines = stdout.trim().split('\n');
  expect([status, lines[0], lines.at(-1)]).toEqual([0, 'TAP version 13', `1..${lines.length - 2}`]);
  expect(lines.slice(1, -1).every((line) => /^ok \d+ - frame [12]: /.test(line))).toBe(true);
  expect(stderr).toContain(`${lines.length - 2} clauses judged, 0 failed`);
});

test('packets that do not come back, or come of nothing, are failures', async () => {
  const lost = await hpccHere('int', 'judge', at('before.pcap'), at('fewer.pcap'), '--json');
  expect(lost.status).toBe(1);
  const last = JSON.parse(lost.stdout.trim().split('\n').at(-1) ?? '') as object;
  expect(last).toMatchObject({ frame: 2, clause: 'packet-returned', returned: null });
  const extra = await hpccHere('int', 'judge', at('before.pcap'), at('more.pcap'));
  expect(extra.status).toBe(1);
  expect(extra.stderr).toContain('1 more frames came back than were sent');
});

test('a capture has reports, or the datagrams are counted as none', async () => {
  const collected = await hpccHere('int', 'collect', at('before.pcap'), '--port', '5000');
  const { stderr, stdout, status } = collected;
  expect([status, stdout.trim().split('\n').length]).toEqual([0, 2]);
  expect(stderr).toContain('0 reports, 2 datagrams were none');
});

test('sums of reports are printed at the end, with flows and links, in place of the reports', async () => {
  const int = '{ ingressInterface: 1, egressInterface: 2, hopLatency: 5 }';
  const inner = '[ipv4, udp: { destinationPort: 7 }, payload: abcdefgh]';
  const report = `{ nodeId: 9, reports: [{ trackedFlow: true, int: ${int}, layers: ${inner} }] }`;
  const layers = `[ethernet, ipv4, udp, report: ${report}]`;
  fs.writeFileSync(at('reports.yaml'), `frames: [{ count: 3, layers: ${layers} }]\n`);
  await hpccHere('int', 'craft', at('reports.yaml'), '--pcap', at('reports.pcap'));
  const summed = await hpccHere('int', 'collect', at('reports.pcap'), '--totals');
  expect(summed.status).toBe(0);
  const lines = summed.stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { link: { nodeId: 9, egressPort: 2 }, hops: 3, latencyNs: { count: 3, mean: 5, max: 5 } },
    { flow: '10.0.0.1:49152 -> 10.0.0.2:7 udp', reports: 3, path: [{ nodeId: 9 }] },
    { tracked: 3, dropped: 0 },
    { datagrams: 3, faults: 0, kernelDropped: 0 },
  ]);
  expect(summed.stderr).toContain('3 reports, 0 datagrams were none');
});

test('of a capture that is cut, what came before is told, and then where it is cut', async () => {
  const report = '{ nodeId: 9, reports: [{ trackedFlow: true, int: { hopLatency: 5 } }] }';
  const frames = `[{ count: 3, layers: [ethernet, ipv4, udp, report: ${report}] }]`;
  fs.writeFileSync(at('three.yaml'), `frames: ${frames}\n`);
  await hpccHere('int', 'craft', at('three.yaml'), '--pcap', at('three.pcap'));
  const whole = fs.readFileSync(at('three.pcap'));
  fs.writeFileSync(at('cut.pcap'), whole.subarray(0, whole.length - 1));
  for (const [options, last] of [
    [[], '"nodeId":9'],
    [['--totals'], '"datagrams":2'],
  ] as const) {
    const { status, stdout, stderr } = await hpccHere('int', 'collect', at('cut.pcap'), ...options);
    expect(status).toBe(1);
    expect(stdout.trim().split('\n').at(-1)).toContain(last);
    expect(stderr).toMatch(/2 reports, 0 datagrams were none[^]*cut\.pcap: pcap record at byte/);
  }
});

test('a document of more frames than a capture in memory holds is refused with its place', async () => {
  const layers = `[ethernet, payload: ${'a'.repeat(1000)}]`;
  fs.writeFileSync(at('many.yaml'), `frames: [{ count: 1000000, layers: ${layers} }]\n`);
  const { stderr, status } = await hpccHere('int', 'craft', at('many.yaml'));
  expect(status).toBe(1);
  expect(stderr).toMatch(/many\.yaml:1: frames: wanted at most 100 MB of frames, found 1014/);
});
