import * as http from 'node:http';
import * as net from 'node:net';
import { credentials } from '@grpc/grpc-js';
import { electionIdMessage } from '../../common/p4runtime/election-id';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4RuntimeClient } from '../../common/p4runtime/generated/p4/v1/p4runtime-client';
import { ATTACKS } from './attacks';
import type { Attack } from './attacks';

const DEVICE = '1';
const CLIENTS = 16;
/** Calls of a client at a time. */
const PIPELINED = 8;
/** Silent connections that are kept, of all clients. */
const SILENT_MAX = 512;
/** Refused updates of a Write. */
const UPDATES = 100;
/** A client goes on so long after its answer, in ms: so long as it takes a client to think of nothing. */
const AGAIN_MS = 1;

interface Place {
  readonly host: string;
  readonly port: number;
}

/** One request or several, whatever comes back; returns how many were answered. */
type Ask = (at: Place) => Promise<number>;

function scrape({ host, port }: Place): Promise<number> {
  return new Promise((resolve) => {
    const request = http.get({ host, port, path: '/metrics', agent: false }, (response) => {
      response.resume().once('close', () => resolve(1));
    });
    request.once('error', () => resolve(0));
  });
}

const silent: net.Socket[] = [];

function open({ host, port }: Place): Promise<number> {
  const socket = net.connect(port, host).resume();
  silent.push(socket);
  if (silent.length > SILENT_MAX) silent.shift()?.destroy();
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(1)).on('error', () => resolve(0));
  });
}

const stubs = new Map<string, P4RuntimeClient>();

/** Eight calls over the client's own connection. */
async function calls(
  at: Place,
  client: number,
  call: (stub: P4RuntimeClient) => Promise<number>,
): Promise<number> {
  const key = String(client);
  const options = { 'grpc.use_local_subchannel_pool': 1, 'grpc.max_receive_message_length': -1 };
  const address = `${at.host}:${at.port}`;
  const stub =
    stubs.get(key) ?? new P4RuntimeClient(address, credentials.createInsecure(), options);
  stubs.set(key, stub);
  const all = await Promise.all(Array.from({ length: PIPELINED }, () => call(stub)));
  return all.reduce((sum, each) => sum + each, 0);
}

function program(stub: P4RuntimeClient): Promise<number> {
  const request = new p4.GetForwardingPipelineConfigRequest({ deviceId: DEVICE });
  return new Promise((resolve) => {
    stub.GetForwardingPipelineConfig(request, (error) => resolve(error === null ? 1 : 0));
  });
}

function read(stub: P4RuntimeClient): Promise<number> {
  const entities = [new p4.Entity({ tableEntry: new p4.TableEntry() })];
  const call = stub.Read(new p4.ReadRequest({ deviceId: DEVICE, entities }));
  return new Promise((resolve) => {
    call.on('data', () => undefined);
    call.on('error', () => resolve(0)).on('end', () => resolve(1));
  });
}

function write(stub: P4RuntimeClient): Promise<number> {
  const update = new p4.Update({
    type: p4.UpdateType.INSERT,
    entity: new p4.Entity({ tableEntry: new p4.TableEntry({ tableId: 1 }) }),
  });
  const updates = new Array<p4.Update>(UPDATES).fill(update);
  const electionId = electionIdMessage(1n);
  const request = new p4.WriteRequest({ deviceId: DEVICE, electionId, updates });
  return new Promise((resolve) => {
    stub.Write(request, () => resolve(1));
  });
}

function bid(stub: P4RuntimeClient): Promise<number> {
  const stream = stub.StreamChannel();
  const arbitration = new p4.MasterArbitrationUpdate({ deviceId: DEVICE });
  return new Promise((resolve) => {
    stream.on('data', () => stream.cancel());
    stream.on('error', () => resolve(1)).on('end', () => resolve(1));
    stream.write(new p4.StreamMessageRequest({ arbitration }));
  });
}

/** Calls of bm_get_config, one behind the other, over one connection. */
function config({ host, port }: Place): Promise<number> {
  const method = Buffer.from('standard:bm_get_config');
  const head = Buffer.from([0x80, 0x01, 0, 1, 0, 0, 0, method.length]);
  const call = Buffer.concat([head, method, Buffer.from([0, 0, 0, 1, 0])]);
  const socket = net.connect(port, host);
  socket.end(Buffer.concat(new Array<Buffer>(PIPELINED).fill(call)));
  let bytes = 0;
  return new Promise((resolve) => {
    socket.on('data', (chunk) => (bytes += chunk.length));
    socket.on('error', () => undefined).once('close', () => resolve(bytes > 0 ? PIPELINED : 0));
  });
}

const asking =
  (client: number, call: (stub: P4RuntimeClient) => Promise<number>): Ask =>
  (at) =>
    calls(at, client, call);

const ASKS: Readonly<Record<Attack, (client: number) => Ask>> = {
  'metrics: scrapes': () => scrape,
  'metrics: silent connections': () => open,
  'P4Runtime: silent connections': () => open,
  'P4Runtime: the whole program': (client) => asking(client, program),
  'P4Runtime: all entries': (client) => asking(client, read),
  'P4Runtime: refused Writes': (client) => asking(client, write),
  'P4Runtime: bids': (client) => asking(client, bid),
  'Thrift: silent connections': () => open,
  'Thrift: the whole program': () => config,
};

/** A process of its own. Arguments: an attack, host and port. Prints at SIGTERM how many answers came. */
async function main([name = '', host = '', port = '']: readonly string[]): Promise<void> {
  const attack = ATTACKS.find((each) => each === name);
  if (attack === undefined) throw new Error(`no attack '${name}'`);
  let answers = 0;
  process.once('SIGTERM', () => {
    process.stdout.write(String(answers), () => process.exit(0));
  });
  const client = async (number: number): Promise<void> => {
    const ask = ASKS[attack](number);
    for (;;) {
      answers += await ask({ host, port: Number(port) });
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i)));
}

void main(process.argv.slice(2));
