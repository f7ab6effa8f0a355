import { once } from 'node:events';
import * as net from 'node:net';
import * as fc from 'fast-check';
import { ThriftServices } from '../../../../../switch/server/thrift/services';
import { startThriftServer } from '../../../../../switch/server/thrift/server';
import { fromInt64 } from '../../../../../switch/server/thrift/int64';
import { connectThrift } from '../../../../support/thrift-clients';
import { fakeSwitch } from '../../../../support/thrift-target';
import type { ThriftServer } from '../../../../../switch/server/thrift/server';
import { EFFORT } from '../../../../support/effort';

const FRAMES = 40 * EFFORT;

/** A call of bm_register_write with a name that claims to be so long. */
function callWithNameOf(length: number): Buffer {
  const method = Buffer.from('standard:bm_register_write');
  const frame = Buffer.alloc(8 + method.length + 4 + 7);
  frame.writeUInt32BE(0x8001_0001, 0);
  frame.writeUInt32BE(method.length, 4);
  method.copy(frame, 8);
  frame.writeUInt8(11, frame.length - 7);
  frame.writeUInt16BE(2, frame.length - 6);
  frame.writeUInt32BE(length, frame.length - 4);
  return frame;
}

/** A call of bm_mt_add_entry whose list of key fields says that its elements are these bytes. */
function callWithKeyOf(elements: readonly number[]): Buffer {
  const method = Buffer.from('standard:bm_mt_add_entry');
  const head = Buffer.from([0x80, 0x01, 0, 1, 0, 0, 0, method.length, ...method, 0, 0, 0, 1]);
  const list = Buffer.from([15, 0, 3, 3, 0, 0, 0, elements.length, ...elements]);
  return Buffer.concat([head, list, Buffer.from([0])]);
}

describe('malformed Thrift frames', () => {
  let server: ThriftServer;
  const fake = fakeSwitch();

  beforeAll(async () => {
    server = await startThriftServer(fake.target, 0);
  });

  afterAll(() => server.stop());

  const send = async (bytes: Uint8Array): Promise<void> => {
    const socket = net.connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.resume();
    await once(socket, 'connect');
    socket.end(bytes);
    await once(socket, 'close');
  };

  /** The switch answers, and no cell has changed. */
  const isUnharmed = async (): Promise<void> => {
    const clients = connectThrift(server.port);
    const cells = await clients.standard.bm_register_read_all(0, 'it');
    clients.close();
    expect(cells.map((cell) => fromInt64(cell))).toEqual([0n, 0n, 0n, 0n]);
  };

  test('of random bytes change nothing', async () => {
    const frames = fc.uint8Array({ maxLength: 200 });
    await fc.assert(fc.asyncProperty(frames, send), { numRuns: FRAMES });
    await isUnharmed();
  });

  test.each([0x7fff_ffff, 0xffff_ffff, 2 ** 28])(
    'that claim %d bytes change nothing',
    async (n) => {
      await send(callWithNameOf(n));
      await isUnharmed();
    },
  );

  // As structures: a field whose string is cut short, and one of a type that no value has.
  test.each([[[11, 0, 1, 0]], [[1, 0, 9, 0]]])(
    'whose list has elements of another type than the call are refused: %j',
    async (elements) => {
      const services = new ThriftServices(fake.target, () => server.port);
      const answer = (): void => services.answer(callWithKeyOf(elements), () => undefined);
      expect(answer).toThrow('a list has elements of another type than its call declares');
      await send(callWithKeyOf(elements));
      await isUnharmed();
    },
  );

  test('that end too early change nothing', async () => {
    const whole = callWithNameOf(2);
    for (let length = 1; length < whole.length; length++) await send(whole.subarray(0, length));
    await isUnharmed();
  });

  /** Waits until the server ends the connection; this side would go on. */
  const closedAfter = async (bytes: Uint8Array): Promise<void> => {
    const socket = net.connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.resume();
    socket.write(bytes);
    await once(socket, 'end');
    socket.destroy();
  };

  test.each([
    ['of another protocol', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
    ['of another version', message({ version: 0x8002_0001 })],
    ['that answer nothing', message({ version: 0x8001_0002 })],
    ['for another service', message({ method: 'other:bm_reset_state' })],
    ['for no service', message({ method: 'bm_reset_state' })],
    ['with a value of no type', message({ fields: [99, 0, 1, 0] })],
    ['with a name of negative length', callWithNameOf(0xffff_ffff)],
  ])('%s end their connection and no other', async (_, frame) => {
    const others = connectThrift(server.port);
    await others.standard.bm_register_read_all(0, 'it');
    await closedAfter(frame);
    const cells = await others.standard.bm_register_read_all(0, 'it');
    expect(cells).toHaveLength(4);
    others.close();
    await isUnharmed();
  });

  // Found by fuzzing: the package answered the first with no name, and took the last two for services.
  test.each(['standard', '', 'nothing:bm_get_config', 'toString:x', '__proto__:x'])(
    'a call of %p names no service and method',
    (name) => {
      const services = new ThriftServices(fake.target, () => 0);
      const answer = (): void => services.answer(message({ method: name }), () => undefined);
      expect(answer).toThrow(
        `wanted SERVICE:METHOD with one of the three services, found '${name}'`,
      );
    },
  );
});

/** A message with a header in order but for what is given. */
function message({
  version = 0x8001_0001,
  method = 'standard:bm_reset_state',
  fields = [0],
}: {
  readonly version?: number;
  readonly method?: string;
  readonly fields?: readonly number[];
}): Buffer {
  const [head, sequence] = [Buffer.alloc(8), Buffer.alloc(4)];
  head.writeUInt32BE(version, 0);
  head.writeUInt32BE(method.length, 4);
  return Buffer.concat([head, Buffer.from(method), sequence, Buffer.from(fields)]);
}
