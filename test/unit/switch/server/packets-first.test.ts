import { EventEmitter, once } from 'node:events';
import * as net from 'node:net';
import { Gauge, Registry } from 'prom-client';
import { serveMetrics } from '../../../../common/io/metrics-server';
import { givePacketsTurnsBy } from '../../../../common/io/packets-first';
import * as p4 from '../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4InfoIndex } from '../../../../common/p4runtime/p4info';
import { Device } from '../../../../switch/server/device';
import { Limits } from '../../../../switch/server/limits/limits';
import { answerPipelineConfig } from '../../../../switch/server/read-stream';
import type { PipelineConfigCall } from '../../../../switch/server/read-stream';
import { startP4RuntimeServer } from '../../../../switch/server/server';
import { SYSTEM_CLOCK } from '../../../../switch/server/streams/clock';
import { startThriftServer } from '../../../../switch/server/thrift/server';
import { sampleConfig } from '../../../conformance/p4runtime-target';
import { RawController } from '../../../support/p4runtime/raw-controller';
import { StateSwitch } from '../../../support/p4runtime/state-switch';
import { fakeSwitch } from '../../../support/thrift-target';

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;
const { ALL } = p4.GetForwardingPipelineConfigRequestResponseType;
const COUNT = 20;
/** Fewer than one role may have. */
const BACKUPS = 12;
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

const many = <Result>(act: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: COUNT }, act));

async function connected(port: number): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

describe('packets get turns between the clients of a door', () => {
  let turns = 0;
  beforeEach(() => {
    turns = 0;
    givePacketsTurnsBy(() => void turns++);
  });
  afterEach(() => givePacketsTurnsBy(undefined));

  /** Waits for something that clients do, and until packets got so many turns meanwhile. */
  const turnsBeside = async <Result>(
    least: number,
    act: () => Promise<Result>,
  ): Promise<Result> => {
    const before = turns;
    const result = await act();
    while (turns - before < least) await new Promise((resolve) => setTimeout(resolve, 5));
    return result;
  };

  test('of P4Runtime: connections, bids, requests for the program, Reads and refused Writes', async () => {
    const devices = new Map([[1, new StateSwitch()]]);
    const server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
    const address = `127.0.0.1:${server.port}`;
    const controller = new RawController(address, 1n);
    await controller.bidAndWait(2n);
    await controller.setPipeline(2n, VERIFY_AND_COMMIT, sampleConfig());
    const entities = [new p4.Entity({ tableEntry: new p4.TableEntry() })];
    const sockets = await turnsBeside(COUNT, () => many(() => connected(server.port)));
    await turnsBeside(COUNT, () => many(() => controller.getPipeline(ALL)));
    await turnsBeside(COUNT, () => many(() => controller.read(entities)));
    await turnsBeside(COUNT, () => many(() => controller.write(1n, [new p4.Update()])));
    const backups = Array.from({ length: BACKUPS }, () => new RawController(address, 1n));
    await turnsBeside(2 * BACKUPS, () =>
      Promise.all(backups.map((each) => each.bidAndWait(undefined))),
    );
    for (const socket of sockets) socket.destroy();
    for (const each of backups) each.close();
    controller.close();
    await server.stop();
  });

  test('of Thrift: connections and messages', async () => {
    const server = await startThriftServer(fakeSwitch().target, 0);
    const sockets = await turnsBeside(COUNT, () => many(() => connected(server.port)));
    const method = Buffer.from('standard:bm_get_config');
    const head = Buffer.from([0x80, 0x01, 0, 1, 0, 0, 0, method.length]);
    const call = Buffer.concat([head, method, Buffer.from([0, 0, 0, 1, 0])]);
    await turnsBeside(COUNT, () =>
      Promise.all(
        sockets.map(async (socket) => {
          socket.write(call);
          await once(socket, 'data');
        }),
      ),
    );
    for (const socket of sockets) socket.destroy();
    await server.stop();
  });

  test('of metrics: connections, scrapes and the text of each metric', async () => {
    const registry = new Registry();
    for (let i = 0; i < COUNT; i++) {
      new Gauge({ name: `hpcc_test_${i}`, help: 'Of a test', registers: [registry] }).set(i);
    }
    const server = await serveMetrics('127.0.0.1:0', registry);
    // The engine compiles what makes the text before anybody asks.
    expect(turns).toBeGreaterThanOrEqual(COUNT);
    const url = `http://127.0.0.1:${server.port}/metrics`;
    await turnsBeside(COUNT + 2, async () => (await fetch(url)).text());
    await server.close();
  });
});

test('a connection that says nothing has no session', async () => {
  const devices = new Map([[1, new StateSwitch()]]);
  const server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
  const silent = await connected(server.port);
  let heard = 0;
  silent.on('data', (bytes: Buffer) => (heard += bytes.length));
  const other = await connected(server.port);
  other.write(PREFACE + '\0\0\0\x04\0\0\0\0\0');
  // The settings of a server come at once with its session.
  await once(other, 'data');
  expect(heard).toBe(0);
  silent.write(PREFACE + '\0\0\0\x04\0\0\0\0\0');
  await once(silent, 'data');
  const ended = once(silent, 'close');
  other.destroy();
  await server.stop();
  await ended;
});

/** A request for the program whose client takes nothing. */
class StalledCall extends EventEmitter {
  readonly cancelled = false;
  readonly request = new p4.GetForwardingPipelineConfigRequest({
    deviceId: '1',
    responseType: ALL,
  });
  isAnswered = false;

  write(): boolean {
    this.isAnswered = true;
    return false;
  }
}

test('few answers with the program wait for their clients at a time', async () => {
  const limits = new Limits(
    new Map([
      ['reads-at-once', 3],
      ['read-stall-seconds', 1],
    ]),
  );
  const fields = { id: 1n, control: new StateSwitch(), clock: SYSTEM_CLOCK } as const;
  const device = new Device({ ...fields, compatible: 'specification', limits });
  const message = sampleConfig();
  device.committed = { message, info: new P4InfoIndex(message.p4info) };
  const calls = Array.from({ length: 5 }, () => new StalledCall());
  const answers = calls.map((call) =>
    answerPipelineConfig(new Map([[1n, device]]), call as unknown as PipelineConfigCall),
  );
  for (const answer of answers) answer.catch(() => undefined);
  await device.turns.next();
  const answered = (): number => calls.filter(({ isAnswered }) => isAnswered).length;
  expect(answered()).toBe(3);
  calls[0]?.emit('drain');
  await answers[0];
  await device.turns.next();
  await device.turns.next();
  expect(answered()).toBe(4);
  await expect(answers[1]).rejects.toThrow('the client has taken nothing for 1 s');
  calls[4]?.emit('close');
  await Promise.allSettled(answers);
});
