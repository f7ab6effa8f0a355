import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { performance } from 'node:perf_hooks';
import { assert } from '../common/assert';
import { emitEthernet, ETHERNET_LENGTH, ETHERTYPE_IPV4 } from '../common/wire/ip/ethernet';
import { emitIpv4, IPV4_LENGTH, PROTOCOL_UDP } from '../common/wire/ip/ipv4';
import { emitUdp, UDP_LENGTH } from '../common/wire/ip/udp';
import { HPCC_TRANSPORT_PORT } from '../common/wire/hpcc/hpcc-transport';
import { emitHops, emitIntMdSource, HP_DOMAIN, INT_DSCP } from '../common/wire/int/int-md';
import { INT_FIXED_LENGTH } from '../common/wire/int/int-md';

const HOPS = 5;
const CAPTURE_BYTES = 500e6;
/** Bytes that tcpdump -s 256 keeps of a data packet of 1000 bytes: all headers, and no more. */
const HEAD_LENGTH = ETHERNET_LENGTH + IPV4_LENGTH + UDP_LENGTH;
const FRAME_LENGTH = HEAD_LENGTH + INT_FIXED_LENGTH + HOPS * HP_DOMAIN.hopLength + 16;
const RECORD_LENGTH = 16 + FRAME_LENGTH;
const FRAMES_PER_WRITE = 4096;
const MAIN = path.resolve(__dirname, '../cli/main.js');

/** `hpcc decode --csv` and `--json` of a capture of 500 MB of INT with five hops, and its memory. */
export async function benchDecode(rounds: number): Promise<object> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-bench-decode-'));
  try {
    const file = path.join(folder, 'int.pcap');
    const frames = writeIntCapture(file, CAPTURE_BYTES);
    const csv = await measureDecode(['--csv', file], frames, rounds);
    const json = await measureDecode(['--json', file], frames, 1);
    return { captureBytes: fs.statSync(file).size, frames, hops: HOPS, csv, json };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

async function measureDecode(
  args: readonly string[],
  frames: number,
  rounds: number,
): Promise<object> {
  const runs = [];
  for (let round = 0; round < rounds; round++) runs.push(await runDecode(args));
  const best = Math.min(...runs.map(({ seconds }) => seconds));
  const cpu = Math.min(...runs.map(({ cpuSeconds }) => cpuSeconds));
  return {
    framesPerSecond: Math.round(frames / best),
    framesPerCpuSecond: Math.round(frames / cpu),
    peakMegabytes: Math.max(...runs.map(({ peakMegabytes }) => peakMegabytes)),
  };
}

/** A module that makes a process report its memory and time when it ends, on descriptor 3. */
const TELLS_RESOURCES =
  'data:text/javascript,' +
  encodeURIComponent(
    `import { writeSync } from 'node:fs'; process.on('exit', () => {
      const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
      writeSync(3, JSON.stringify([maxRSS, userCPUTime + systemCPUTime])); });`,
  );

interface DecodeRun {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

/**
 * Runs `hpcc decode` in a process of its own, as a user does; it reports its resources when it
 * ends.
 */
async function runDecode(args: readonly string[]): Promise<DecodeRun> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', TELLS_RESOURCES, MAIN, 'decode', ...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stdio[3]?.on('data', (piece: Buffer) => (told += piece.toString()));
  const status = await new Promise((resolve) => child.once('close', resolve));
  assert(status === 0, `decode ended with ${String(status)}`);
  const seconds = (performance.now() - startedAt) / 1000;
  const [kilobytes = 0, microseconds = 0] = JSON.parse(told) as number[];
  return { seconds, cpuSeconds: microseconds / 1e6, peakMegabytes: Math.round(kilobytes / 1024) };
}

/** Writes data packets of one flow with telemetry of five hops; returns how many. */
export function writeIntCapture(file: string, bytes: number): number {
  const fd = fs.openSync(file, 'w');
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1b23c4d, 0);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(4, 6);
  head.writeUInt32LE(65535, 16);
  head.writeUInt32LE(1, 20);
  fs.writeSync(fd, head);
  let frames = 0;
  const records = new Uint8Array(FRAMES_PER_WRITE * RECORD_LENGTH);
  while (frames * RECORD_LENGTH < bytes) {
    for (let i = 0; i < FRAMES_PER_WRITE; i++) {
      writeRecord(records.subarray(i * RECORD_LENGTH, (i + 1) * RECORD_LENGTH), frames++);
    }
    fs.writeSync(fd, records);
  }
  fs.closeSync(fd);
  return frames;
}

/** 100 ns between packets. */
function writeRecord(record: Uint8Array, number: number): void {
  const view = new DataView(record.buffer, record.byteOffset, record.length);
  view.setUint32(0, 1_700_000_000 + Math.floor(number / 1e7), true);
  view.setUint32(4, (number % 1e7) * 100, true);
  view.setUint32(8, FRAME_LENGTH, true);
  view.setUint32(12, FRAME_LENGTH, true);
  writeFrame(record.subarray(16), number);
}

function writeFrame(frame: Uint8Array, number: number): void {
  const addresses = { source: 0x0a000001, destination: 0x0a000002 };
  const macs = { destination: 0x020000000002, source: 0x020000000001 };
  emitEthernet({ ...macs, etherType: ETHERTYPE_IPV4 }, frame);
  const totalLength = FRAME_LENGTH - ETHERNET_LENGTH;
  const ip = { dscp: INT_DSCP, ecn: 0, identification: 0, ttl: 59, protocol: PROTOCOL_UDP };
  emitIpv4({ ...addresses, ...ip, totalLength }, frame, ETHERNET_LENGTH);
  emitIntMdSource({ remainingHops: 8 - HOPS, originalDscp: 0 }, frame, HEAD_LENGTH);
  emitHops(hops(number), frame, HEAD_LENGTH);
  // The transport's header: data of flow 1.
  frame.set([0x31, 0, 0, 1, 0, 0, 0, 0, 1], FRAME_LENGTH - 16);
  const udp = { sourcePort: 49152, destinationPort: HPCC_TRANSPORT_PORT };
  const offset = ETHERNET_LENGTH + IPV4_LENGTH;
  const length = totalLength - IPV4_LENGTH;
  emitUdp({ ...udp, length }, frame, { ...addresses, offset, end: FRAME_LENGTH });
}

const hops = (number: number) =>
  Array.from({ length: HOPS }, (_, hop) => ({
    switchId: 1 + hop,
    portId: 2 + hop,
    ingressPortId: 40 + hop,
    queueId: 0,
    timestamp: 1_000_000_000_000 + number * 100 + hop * 1500,
    timestampModulus: 2 ** 48,
    txBytes: 5_000_000_000 + number * 1106,
    txBytesModulus: 2 ** 48,
    queueBytes: (number * 977 + hop * 131) % 150_000,
    capacity: 100e9,
  }));
