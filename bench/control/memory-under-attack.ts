import * as http2 from 'node:http2';
import * as zlib from 'node:zlib';
import { credentials } from '@grpc/grpc-js';
import { electionIdMessage } from '../../common/p4runtime/election-id';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4RuntimeClient as Stub } from '../../common/p4runtime/generated/p4/v1/p4runtime-client';
import { P4RuntimeClient } from '../../controller/p4runtime/client';
import { exactEntry, exactProgram, LOAD_DESTINATION } from '../live/exact-program';
import { embeddedSwitch, startSwitchProcess } from '../live/switch-process';
import type { SwitchProcess } from '../live/switch-process';

const DEVICE = '1';
const CPU_PORT = 255;
const DEADLINE_MS = 600_000;
/** Interval between two looks at the memory of the switch. */
const LOOK_MS = 20;
const SETTLE_MS = 3000;
const MEGABYTE = 1e6;

const FILTERS = 20_000;
const CANCELLED_READS = 10;
const BOMBS = 20;
const BOMB_BYTES = 256 * 1024 * 1024;
const PACKETS = 100_000;
const PACKET_BYTES = 1500;

/** Memory of the switch in MB, as the kernel counts it. */
interface Grown {
  readonly idleMb: number;
  /** Above idle while the attack lasts, and some seconds after it. */
  readonly mostMb: number;
  readonly afterMb: number;
}

/**
 * Measures the memory of the embedded switch under attacks on P4Runtime, in a process of its own: a
 * Read of 20,000 filters for all entries and ten that are cancelled, gzip bodies of 256 MB, and a
 * primary that reads none of its packet-ins.
 * @throws InputError without p4c.
 */
export async function benchMemoryUnderAttack(entries: number): Promise<object> {
  const program = await exactProgram(entries + 1, 1);
  const options = ['--cpu-port', String(CPU_PORT)];
  const device = await startSwitchProcess(embeddedSwitch(), [], 1, options);
  try {
    const client = await P4RuntimeClient.connect({
      name: 's1',
      address: device.address,
      deviceId: 1n,
      electionId: 1n,
      deadline: DEADLINE_MS,
    });
    try {
      await client.becomePrimary();
      await client.pushPipeline(program);
      await client.writeAll('insert', [exactEntry(0, CPU_PORT)]);
      await fill(client, entries);
    } finally {
      client.close();
    }
    // One small Read, so that whatever reads need once is there.
    await read(device, [], 1);
    const filters = Array.from({ length: FILTERS }, (_, i) => filter(i + 1));
    return {
      entries,
      'row 1, a Read of 20,000 filters': await grown(device, () => read(device, filters, 20)),
      'row 1, ten cancelled Reads': await grown(device, () => cancelledReads(device)),
      'row 9, gzip bodies of 256 MB': await grown(device, () => bombs(device)),
      'row 13, 100,000 packet-ins unread': await grown(device, () => unreadPackets(device)),
    };
  } finally {
    await device.stop();
  }
}

async function grown(device: SwitchProcess, attack: () => Promise<void>): Promise<Grown> {
  await pause(SETTLE_MS);
  const idle = device.residentBytes();
  let most = idle;
  const look = setInterval(() => (most = Math.max(most, device.residentBytes())), LOOK_MS);
  await attack();
  await pause(SETTLE_MS);
  clearInterval(look);
  const [mostMb, afterMb] = [most - idle, device.residentBytes() - idle].map(inMb);
  return { idleMb: inMb(idle), mostMb: mostMb ?? NaN, afterMb: afterMb ?? NaN };
}

const inMb = (bytes: number): number => Number((bytes / MEGABYTE).toFixed(1));

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function fill(client: P4RuntimeClient, entries: number): Promise<void> {
  const CHUNK = 50_000;
  for (let from = 1; from < entries; from += CHUNK) {
    const count = Math.min(CHUNK, entries - from);
    const all = Array.from({ length: count }, (_, i) => exactEntry(from + i));
    await client.writeAll('insert', all);
  }
}

/** All entries, as another filter each time: a note that no entry has does not matter. */
const filter = (i: number): p4.Entity =>
  new p4.Entity({ tableEntry: new p4.TableEntry({ idleTimeoutNs: String(i) }) });

/** A Read that ends, or is left after so many messages. */
async function read(
  device: SwitchProcess,
  entities: readonly p4.Entity[],
  messages: number,
): Promise<void> {
  const stub = new Stub(device.address, credentials.createInsecure());
  const call = stub.Read(new p4.ReadRequest({ deviceId: DEVICE, entities: [...entities] }));
  let left = messages;
  await new Promise<void>((resolve) => {
    call.on('data', () => --left === 0 && call.cancel());
    call.on('error', () => resolve());
    call.on('end', () => resolve());
  });
  stub.close();
}

/** Each is cancelled after its first message, which shows that the answer has begun. */
async function cancelledReads(device: SwitchProcess): Promise<void> {
  for (let i = 0; i < CANCELLED_READS; i++) await read(device, [filter(i + 1)], 1);
}

async function bombs(device: SwitchProcess): Promise<void> {
  const body = zlib.gzipSync(Buffer.alloc(BOMB_BYTES));
  await Promise.all(Array.from({ length: BOMBS }, () => bomb(device, body)));
}

async function bomb({ address }: SwitchProcess, body: Buffer): Promise<void> {
  const session = http2.connect(`http://${address}`);
  const call = session.request({
    ':method': 'POST',
    ':path': '/p4.v1.P4Runtime/Write',
    te: 'trailers',
    'content-type': 'application/grpc',
    'grpc-encoding': 'gzip',
  });
  const head = Buffer.alloc(5);
  head.writeUInt8(1, 0);
  head.writeUInt32BE(body.length, 1);
  call.on('error', () => undefined);
  call.end(Buffer.concat([head, body]));
  call.resume();
  await new Promise<void>((resolve) => call.on('close', () => resolve()));
  session.close();
}

async function unreadPackets(device: SwitchProcess): Promise<void> {
  const stub = new Stub(device.address, credentials.createInsecure());
  const stream = stub.StreamChannel();
  stream.on('error', () => undefined);
  const electionId = electionIdMessage(2n);
  const arbitration = new p4.MasterArbitrationUpdate({ deviceId: DEVICE, electionId });
  stream.write(new p4.StreamMessageRequest({ arbitration }));
  await new Promise((resolve) => stream.once('data', resolve));
  stream.pause();
  const payload = new Uint8Array(PACKET_BYTES);
  new DataView(payload.buffer).setBigUint64(0, BigInt(LOAD_DESTINATION) << 16n);
  const request = new p4.StreamMessageRequest({ packet: new p4.PacketOut({ payload }) });
  for (let i = 0; i < PACKETS; i++) {
    if (stream.write(request)) continue;
    await new Promise<void>((resolve) => stream.once('drain', () => resolve()));
  }
  await pause(SETTLE_MS);
  // Some have come, so the switch has sent what it had room for.
  const first = new Promise((resolve) => stream.once('data', resolve));
  stream.resume();
  await first;
  stream.cancel();
  stub.close();
}
