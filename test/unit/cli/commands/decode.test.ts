import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import * as dgram from 'node:dgram';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Readable } from 'node:stream';
import { writeIntCapture } from '../../../../bench/decode';
import { hpccHere } from '../../../support/command-line';
import type { Outcome } from '../../../support/command-line';
import { keptCommand, PROGRAM } from '../../../support/own-command';
import { describeIf } from '../../../support/requires';
import { fixture } from '../../../support/paths';
import { formatFrames } from '../../../support/wire/format-frames';
import { pcapFile } from '../../../support/wire/pcap-file';

const CAPTURE = fixture('wire', 'telemetry-vectors.pcap');

interface Line {
  readonly frame: number;
  readonly time: string;
  readonly format: string;
  readonly hops?: readonly object[];
  readonly fault?: object;
}

function decode(args: readonly string[], input?: Uint8Array) {
  const options = input === undefined ? {} : { input };
  const done = spawnSync(process.execPath, keptCommand('decode', ...args), options);
  const stdout = done.stdout.toString();
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  return { status: done.status, stderr: done.stderr.toString(), stdout, lines };
}

/** The same in the process of the test. */
const decodeHere = (...args: readonly string[]): Promise<Outcome> => hpccHere('decode', ...args);

const frames = formatFrames().map(([, bytes]) => bytes);

describe('hpcc decode', () => {
  test('prints a line per telemetry header, and a summary beside the output', () => {
    const { status, stderr, lines } = decode([CAPTURE]);
    expect(status).toBe(0);
    expect(stderr).toBe(
      '12 frames, 9 telemetry headers, 0 of them with faults, 0 frames not readable\n',
    );
    expect(lines.map(({ frame, format }) => [frame, format])).toEqual([
      [3, 'roce'],
      [5, 'int'],
      [6, 'int'],
      [7, 'int'],
      [8, 'int'],
      [9, 'ioam'],
      [10, 'ioam'],
      [11, 'ioam'],
      [12, 'ioam'],
    ]);
    expect(lines[3]?.hops).toMatchObject([
      { switchId: 1, portId: 17, queueBytes: 1200, capacityBitsPerSecond: 100e9 },
      { switchId: 2, portId: 34, queueBytes: 0, capacityBitsPerSecond: 400e9 },
    ]);
  });

  test('plots links over time into a page, and prints no lines', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-plot-'));
    const page = path.join(folder, 'plot.html');
    const { status, stdout, stderr } = decode([CAPTURE, '--format', 'int', '--plot', page]);
    const html = fs.readFileSync(page, 'utf8');
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toContain(`plot: ${page}\n`);
    const texts = ['queue (KB)', '"switch 1 port 17"', '"switch 2 port 34"'];
    expect(texts.filter((text) => !html.includes(text))).toEqual([]);
    const both = await decodeHere(CAPTURE, '--plot', page, '--csv');
    expect(both.status).toBe(1);
    expect(both.stderr).toContain("'--plot <file>' cannot be used with option '--csv'");
    const nowhere = await decodeHere(CAPTURE, '--plot', path.join(folder, 'no', 'plot.html'));
    expect(nowhere.status).toBe(1);
    expect(nowhere.stderr).toMatch(/^hpcc: cannot write .*no\/plot\.html: /m);
    fs.rmSync(folder, { recursive: true });
  });

  test('reads standard input', () => {
    const { status, lines } = decode(['-'], pcapFile(frames));
    expect(status).toBe(0);
    // HPCC padding has to be asked for; the request is INT and RoCE, the acknowledgement HPCC and INT.
    expect(lines).toHaveLength(frames.length + 1);
    expect(lines.find(({ frame }) => frame === 2)?.time).toBe('1700000000.001000000');
  });

  test('prints one format where it is asked for, in its form', () => {
    const input = pcapFile(frames);
    const padding = decode(['-', '--format', 'padding'], input).lines;
    expect(padding.find(({ fault }) => fault === undefined)).toMatchObject({
      format: 'padding',
      pathId: '0x365',
      hops: [{ queueBytes: 20640 }, { queueBytes: 0 }],
    });
    const uec = decode(['-', '--format', 'csig', '--csig-dialect', 'uec'], input).lines;
    expect(uec).toMatchObject([{ locator: 2, doNotUpdate: true }]);
  });

  test('shows damaged telemetry as a fault, and goes on', () => {
    const damaged = frames[0]?.slice() ?? new Uint8Array();
    damaged[43] = 255;
    const { status, lines } = decode(['-'], pcapFile([damaged, ...frames.slice(1, 2)]));
    expect(status).toBe(0);
    expect(lines).toMatchObject([
      { frame: 1, format: 'int', fault: { header: 'int-shim', offset: 42, need: 1024 } },
      { frame: 2, format: 'int' },
    ]);
  });

  test('prints what precedes the damage of a file, says where it is, and exits with 1', () => {
    const file = pcapFile(frames.slice(0, 2));
    const { status, stderr, lines } = decode(['-'], file.slice(0, file.length - 1));
    expect(status).toBe(1);
    expect(lines).toHaveLength(1);
    expect(stderr).toMatch(
      /^hpcc: standard input: pcap record at byte 194: needs \d+ bytes, \d+ left\n$/,
    );
  });

  test.each([
    ['another file', Buffer.from('{}\n\n'), /must start as pcap or pcapng does, found 7b7d0a0a/],
    ['another link type', linkType(105), /link type must be Ethernet \(1\), .*, found 105/],
  ])('refuses %s with one sentence', (_what, input, message) => {
    const { status, stderr, stdout } = decode(['-'], input);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('refuses a file that is not there, and options that make no sense', async () => {
    const missing = path.join(os.tmpdir(), 'no-such-capture.pcap');
    expect(fs.existsSync(missing)).toBe(false);
    expect(await decodeHere(missing)).toMatchObject({ status: 1, stdout: '' });
    expect(await decodeHere(CAPTURE, '--int-marker', '12')).toMatchObject({
      status: 1,
      stdout: '',
    });
  });
});

describe('row 15: hpcc decode of what has no end', () => {
  const started: ChildProcess[] = [];
  const start = (args: readonly string[]): ChildProcess => {
    const child = spawn(process.execPath, keptCommand('decode', ...args));
    started.push(child);
    return child;
  };
  afterEach(() => started.splice(0).forEach((child) => child.kill('SIGKILL')));

  const nextLine = async (child: ChildProcess): Promise<string> => {
    const [bytes] = (await once(child.stdout as Readable, 'data')) as [Buffer];
    return bytes.toString();
  };

  test('prints the frames of a pipe as they come', async () => {
    const child = start(['-']);
    const file = pcapFile(frames.slice(0, 2));
    const first = 24 + 16 + (frames[0]?.length ?? 0);
    child.stdin?.write(file.subarray(0, first));
    expect(JSON.parse(await nextLine(child))).toMatchObject({ frame: 1 });
    child.stdin?.end(file.subarray(first));
    expect(JSON.parse(await nextLine(child))).toMatchObject({ frame: 2 });
  });

  test('ends after so many frames, though the pipe goes on', async () => {
    const child = start(['-', '--count', '1']);
    child.stdin?.write(pcapFile(frames.slice(0, 2)));
    const [status] = (await once(child, 'exit')) as [number];
    expect(status).toBe(0);
  });

  test('reads a file of more than 2 GiB', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-decode-'));
    try {
      const large = path.join(folder, 'large.pcap');
      fs.writeFileSync(large, pcapFile(frames.slice(0, 1)));
      fs.truncateSync(large, 3 * 2 ** 30);
      const { status, lines } = decode([large, '-c', '1']);
      expect([status, lines.length]).toEqual([0, 1]);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  test('takes no more memory for ten times the capture', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-decode-'));
    try {
      const [small, large] = [4e6, 40e6].map((bytes) => {
        const file = path.join(folder, `${bytes}.pcap`);
        writeIntCapture(file, bytes);
        return peakMegabytes([file, '--csv']);
      });
      expect(large).toBeLessThan((small ?? 0) + 40);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  describeIf(process.getuid?.() === 0, 'on an interface', 'needs root', () => {
    test('follows what goes over it', async () => {
      const child = start(['--follow', 'lo', '--format', 'report', '--report-port', '0xd2f1']);
      const socket = dgram.createSocket('udp4');
      const report = formatFrames()
        .find(([name]) => name === 'INT-R')?.[1]
        .subarray(42);
      const timer = setInterval(() => socket.send(report ?? '', 0xd2f1, '127.0.0.1'), 50);
      try {
        const [line = ''] = (await nextLine(child)).split('\n');
        expect(JSON.parse(line)).toMatchObject({ format: 'report', sequence: 5 });
        child.kill('SIGINT');
        const [status] = (await once(child, 'exit')) as [number];
        expect(status).toBe(0);
      } finally {
        clearInterval(timer);
        socket.close();
      }
    });
  });

  test('wants one source', async () => {
    for (const args of [[], ['--follow', 'lo', CAPTURE], ['--csv', '--json', CAPTURE]]) {
      expect(await decodeHere(...args)).toMatchObject({ status: 1, stdout: '' });
    }
  });
});

/** Peak memory of a process that decodes, when it ends. */
function peakMegabytes(args: readonly string[]): number {
  const tells = `process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS + '\\n'))`;
  const module = `data:text/javascript,${encodeURIComponent(tells)}`;
  const { stderr } = spawnSync(process.execPath, ['--import', module, PROGRAM, 'decode', ...args], {
    maxBuffer: 2 ** 30,
  });
  return Number(/peak (\d+)/.exec(stderr.toString())?.[1]) / 1024;
}

function linkType(value: number): Uint8Array {
  const file = pcapFile(frames.slice(0, 1)).slice();
  file[20] = value;
  return file;
}
