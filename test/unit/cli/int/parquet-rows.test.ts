import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as dgram from 'node:dgram';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { freePort } from '../../../../common/io/net/free-port';
import { craftFrame } from '../../../../common/telemetry/craft/kinds';
import { hpccHere } from '../../../support/command-line';
import { keptCommand } from '../../../support/own-command';
import { ROOT } from '../../../support/paths';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-parquet-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);

interface Read {
  readonly groups: number[];
  readonly rows: Record<string, unknown>[];
}

/** Reads a file with hyparquet, in a process of its own: jest loads no ES modules. */
function readParquet(file: string): Read {
  const script = `
    import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
    const file = await asyncBufferFromFile(${JSON.stringify(file)});
    const { row_groups } = await parquetMetadataAsync(file);
    const rows = await parquetReadObjects({ file });
    const plain = (_, value) => typeof value === 'bigint' ? Number(value) : value;
    console.log(JSON.stringify({ groups: row_groups.map(({ num_rows }) => num_rows), rows }, plain));`;
  const options = { encoding: 'utf8', cwd: ROOT, maxBuffer: 1 << 28 } as const;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script],
    options,
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Read;
}

const collect = (...args: readonly string[]): ReturnType<typeof hpccHere> =>
  hpccHere('int', 'collect', ...args);

const INNER =
  '[ipv4, udp: { destinationPort: 7 }, int-shim, int-md: { hops: [{ nodeId: 3, hopLatency: 9 }] }, payload: abcd]';
const OWN = '{ ingressInterface: 1, egressInterface: 2, hopLatency: 5, queueOccupancy: 700 }';

/** A capture of reports of node 9 about packets that node 3 has seen before. */
async function captured(name: string, count: number): Promise<string> {
  const report = `{ nodeId: 9, reports: [{ trackedFlow: true, int: ${OWN}, layers: ${INNER} }] }`;
  const layers = `[ethernet, ipv4, udp, report: ${report}]`;
  fs.writeFileSync(at('reports.yaml'), `frames: [{ count: ${count}, layers: ${layers} }]\n`);
  const { status } = await hpccHere('int', 'craft', at('reports.yaml'), '--pcap', at(name));
  expect(status).toBe(0);
  return at(name);
}

const ROW = {
  reporter: 9,
  hardware: 0,
  flow: '10.0.0.1:49152 -> 10.0.0.2:7 udp',
  dropped: false,
  congested: false,
  tracked: true,
  dropReason: null,
};

test('a row for each hop of a report is read back as it was told', async () => {
  const capture = await captured('two.pcap', 2);
  const { status, stdout, stderr } = await collect(capture, '--parquet', at('two.parquet'));
  expect([status, stdout]).toEqual([0, '']);
  expect(stderr).toContain('2 reports');
  const { rows, groups } = readParquet(at('two.parquet'));
  expect(groups).toEqual([4]);
  const own = { hop: 2, node: 9, ingressPort: 1, egressPort: 2, latencyNs: 5, queueBytes: 700 };
  const upstream = { hop: 1, node: 3, ingressPort: null, egressPort: null, latencyNs: 9 };
  expect(rows.slice(0, 2)).toMatchObject([
    { ...ROW, ...upstream, queueBytes: null },
    { ...ROW, ...own },
  ]);
  expect(rows[0]?.['time']).toMatch(/^\d{4}-\d\d-\d\dT/);
});

test('full groups are written as they fill, and sums may be asked for besides', async () => {
  const capture = await captured('many.pcap', 40_000);
  const { status, stdout } = await collect(capture, '--parquet', at('many.parquet'), '--totals');
  expect(status).toBe(0);
  expect(stdout.trim().split('\n').at(-1)).toContain('"datagrams":40000');
  expect(readParquet(at('many.parquet')).groups).toEqual([65_536, 14_464]);
});

test.each(['SIGINT', 'SIGTERM'] as const)('the file is complete after %s', async (signal) => {
  const port = await freePort();
  const file = at(`${signal}.parquet`);
  const args = keptCommand('int', 'collect', '--port', `${port}`, '--parquet', file);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
  while (!said.includes('reports at UDP port')) await once(child.stderr, 'data');
  const reports = [{ trackedFlow: true, int: { hopLatency: 5 } }];
  const frame = craftFrame(['ethernet', 'ipv4', 'udp', { kind: 'report', nodeId: 9, reports }]);
  const socket = dgram.createSocket('udp4');
  await new Promise((sent) => socket.send(frame.subarray(42), port, '127.0.0.1', sent));
  socket.close();
  child.kill(signal);
  const [status] = (await once(child, 'exit')) as [number];
  expect(status).toBe(0);
  expect(readParquet(file).rows).toMatchObject([
    { reporter: 9, node: 9, latencyNs: 5, flow: null },
  ]);
});

test('a file that cannot be made is refused in a sentence', async () => {
  const file = path.join(folder, 'none', 'x.parquet');
  const { status, stderr } = await collect(await captured('one.pcap', 1), '--parquet', file);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^hpcc: cannot write .*none\/x\.parquet: ENOENT/m);
});

test('the file is complete when metrics cannot be served, too', async () => {
  const args = ['--parquet', at('none.parquet'), '--metrics', '192.0.2.1:9'];
  const { status, stderr } = await collect(await captured('one.pcap', 1), ...args);
  expect([status, stderr]).toEqual([1, expect.stringContaining('192.0.2.1')]);
  expect(readParquet(at('none.parquet'))).toEqual({ groups: [], rows: [] });
});
