import { BinaryWriter } from 'google-protobuf';
import { codeName } from '../../../../common/p4runtime/rpc-code';
import { Any } from '../../../../common/p4runtime/generated/google/protobuf/any';
import * as p4 from '../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { startP4RuntimeServer } from '../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../switch/server/server';
import { digest, EXT, externsConfig, smac } from '../../../support/p4runtime/externs-updates';
import { ManualClock } from '../../../support/p4runtime/manual-clock';
import { RawController } from '../../../support/p4runtime/raw-controller';
import { bytes, entry, insert, modify, remove } from '../../../support/p4runtime/sample-updates';
import { ServedStateSwitch } from '../../../support/p4runtime/served-state-switch';

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;
const MS = 1_000_000n;

describe('streams of the P4Runtime server', () => {
  let device: ServedStateSwitch;
  let clock: ManualClock;
  let server: P4RuntimeServer;
  let primary: RawController;
  let opened: RawController[];

  beforeEach(async () => {
    device = new ServedStateSwitch();
    clock = new ManualClock();
    const devices = new Map([[1, device]]);
    server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0', clock });
    opened = [];
    primary = open();
    await primary.bidAndWait(1n);
    const status = await primary.setPipeline(1n, VERIFY_AND_COMMIT, externsConfig());
    expect(status).toEqual({ code: 'OK', message: '' });
  });

  afterEach(async () => {
    for (const each of opened) each.close();
    await server.stop();
    expect(clock.pending).toBe(0);
  });

  const open = (): RawController => {
    const controller = new RawController(`127.0.0.1:${server.port}`, 1n);
    opened.push(controller);
    return controller;
  };
  const packetOut = (...metadata: [number, number[]][]): p4.StreamMessageRequest => {
    const fields = metadata.map(([metadataId, value]) => {
      return new p4.PacketMetadata({ metadataId, value: Uint8Array.from(value) });
    });
    const packet = new p4.PacketOut({ payload: bytes(0xaa, 0xbb), metadata: fields });
    return new p4.StreamMessageRequest({ packet });
  };
  const write = async (...updates: p4.Update[]): Promise<string> => {
    return (await primary.write(1n, updates)).code;
  };
  /** Waits until the server has taken what was sent on the stream. */
  const settled = async (controller: RawController): Promise<void> => {
    controller.send(new p4.StreamMessageRequest({}));
    expect(codeName((await controller.next()).error.canonicalCode)).toBe('UNIMPLEMENTED');
  };

  test('a packet of the primary enters with its metadata in front', async () => {
    primary.send(packetOut([1, [3]]));
    await settled(primary);
    expect(device.injected.map((each) => [...each])).toEqual([[0x01, 0x80, 0xaa, 0xbb]]);
  });

  test.each([
    ['unknown metadata', [7, [1]], 'INVALID_ARGUMENT'],
    ['metadata too wide', [1, [2, 0]], 'OUT_OF_RANGE'],
    ['metadata missing', [2, [0]], 'INVALID_ARGUMENT'],
  ] as const)('a packet with %s is dropped and reported', async (_, [id, value], code) => {
    primary.send(packetOut([id, [...value]]));
    const { error } = await primary.next();
    expect(codeName(error.canonicalCode)).toBe(code);
    expect([...error.packetOut.packetOut.payload]).toEqual([0xaa, 0xbb]);
    expect(device.injected).toEqual([]);
  });

  test('a packet of a backup is dropped and reported', async () => {
    const backup = open();
    await backup.bidAndWait(0n);
    backup.send(packetOut([1, [3]]));
    expect(codeName((await backup.next()).error.canonicalCode)).toBe('PERMISSION_DENIED');
    expect(device.injected).toEqual([]);
  });

  test('packets that leave through the CPU port go to the primary with their metadata', async () => {
    device.packetIn(0x80, 0x80, 1, 2, 3);
    device.packetIn(1);
    const { packet } = await primary.next();
    expect([...packet.payload]).toEqual([1, 2, 3]);
    expect(packet.metadata.map((each) => [each.metadataId, ...each.value])).toEqual([
      [1, 1, 1],
      [2, 0],
    ]);
    await settled(primary);
  });

  test('digests are enabled, configured, read and disabled', async () => {
    const config = { maxTimeoutNs: String(MS), maxListSize: 2, ackTimeoutNs: '9007199254740993' };
    expect((await primary.write(1n, [modify(digest({}))])).elements?.[0]?.code).toBe('NOT_FOUND');
    expect(await write(insert(digest(config)))).toBe('OK');
    const twice = await primary.write(1n, [insert(digest(config))]);
    expect(twice.elements?.[0]?.code).toBe('ALREADY_EXISTS');
    const { responses } = await primary.read([
      new p4.Entity({ digestEntry: new p4.DigestEntry({}) }),
    ]);
    const [found] = responses.flatMap((each) => each.entities);
    expect(found?.digestEntry.toObject()).toEqual({ digestId: EXT.learnt, config });
    const negative = await primary.write(1n, [modify(digest({ maxListSize: -1 }))]);
    expect(negative.elements?.[0]?.code).toBe('INVALID_ARGUMENT');
    expect(await write(remove(digest(undefined)))).toBe('OK');
    device.pipeline?.learn('learnt_t', [1n, 2n]);
    await settled(primary);
  });

  test('digest lists come when full, or by time, and again only after their time is over', async () => {
    const config = {
      maxTimeoutNs: String(5n * MS),
      maxListSize: 2,
      ackTimeoutNs: String(50n * MS),
    };
    await write(insert(digest(config)));
    device.pipeline?.learn('learnt_t', [1n, 2n]);
    device.pipeline?.learn('learnt_t', [1n, 2n]);
    device.pipeline?.learn('learnt_t', [0xaabbn, 511n]);
    const first = (await primary.next()).digest;
    expect([first.digestId, first.listId]).toEqual([EXT.learnt, '1']);
    const samples = first.data.map((each) => each.struct.members.map((m) => [...m.bitstring]));
    expect(samples).toEqual([
      [[1], [2]],
      [
        [0xaa, 0xbb],
        [1, 255],
      ],
    ]);
    device.pipeline?.learn('learnt_t', [1n, 2n]);
    clock.advance(60n * MS);
    device.pipeline?.learn('learnt_t', [1n, 2n]);
    clock.advance(5n * MS);
    const second = (await primary.next()).digest;
    expect([second.listId, second.data.length]).toEqual(['2', 1]);
    expect(second.timestamp).toBe(String(1_000_000_000n + 65n * MS));
  });

  test('an acknowledged digest may come again', async () => {
    await write(insert(digest({ maxListSize: 1, ackTimeoutNs: String(50n * MS) })));
    device.pipeline?.learn('learnt_t', [1n, 2n]);
    const { listId } = (await primary.next()).digest;
    const digestAck = new p4.DigestListAck({ digestId: EXT.learnt, listId });
    primary.send(new p4.StreamMessageRequest({ digestAck }));
    await settled(primary);
    device.pipeline?.learn('learnt_t', [1n, 2n]);
    expect((await primary.next()).digest.listId).toBe('2');
  });

  test('an acknowledgement of an unknown digest is reported', async () => {
    const digestAck = new p4.DigestListAck({ digestId: 5, listId: '18446744073709551615' });
    primary.send(new p4.StreamMessageRequest({ digestAck }));
    const { error } = await primary.next();
    expect(codeName(error.canonicalCode)).toBe('INVALID_ARGUMENT');
    expect(error.digestListAck.digestListAck.listId).toBe('18446744073709551615');
  });

  test('entries that no packet hits are told after each time to live', async () => {
    const mortal = { idleTimeoutNs: String(100n * MS), metadata: bytes(4, 2) };
    await write(insert(smac(1, mortal)), insert(smac(2)));
    const idle = (ms: bigint): void => {
      if (device.pipeline !== undefined) device.pipeline.idleNs = ms * MS;
      clock.advance(100n * MS);
    };
    idle(100n);
    const { idleTimeoutNotification: notice } = await primary.next();
    expect(notice.tableEntry).toHaveLength(1);
    const [told] = notice.tableEntry;
    expect([told?.tableId, ...(told?.match[0]?.exact.value ?? [])]).toEqual([EXT.smac, 1]);
    expect([...(told?.metadata ?? [])]).toEqual([4, 2]);
    expect(told?.idleTimeoutNs).toBe(String(100n * MS));
    expect(notice.timestamp).toBe(String(1_000_000_000n + 100n * MS));
    idle(150n);
    await settled(primary);
    idle(200n);
    expect((await primary.next()).update).toBe('idleTimeoutNotification');
    await write(remove(smac(1)));
    idle(900n);
    await settled(primary);
  });

  test('times since the last hit are read where they are asked for', async () => {
    await write(insert(smac(1, { idleTimeoutNs: '9007199254740993' })));
    if (device.pipeline !== undefined) device.pipeline.idleNs = 7n;
    const timeSinceLastHit = new p4.TableEntryIdleTimeout({});
    const { responses } = await primary.read([entry({ tableId: EXT.smac, timeSinceLastHit })]);
    const [found] = responses.flatMap((each) => each.entities);
    expect(found?.tableEntry.timeSinceLastHit.elapsedNs).toBe('7');
    expect(found?.tableEntry.idleTimeoutNs).toBe('9007199254740993');
    const plain = await primary.read([entry({ tableId: EXT.smac })]);
    const [other] = plain.responses.flatMap((each) => each.entities);
    expect(other?.tableEntry.hasTimeSinceLastHit).toBe(false);
    const wrong = await primary.read([entry({ tableId: EXT.dmac, timeSinceLastHit })]);
    expect(wrong.status.elements?.[0]?.code).toBe('INVALID_ARGUMENT');
  });

  test.each([
    ['a negative time to live', { idleTimeoutNs: '-1' }],
    ['a time since the last hit', { timeSinceLastHit: new p4.TableEntryIdleTimeout({}) }],
  ])('an entry with %s is invalid', async (_, fields) => {
    const status = await primary.write(1n, [insert(smac(1, fields))]);
    expect(status.elements?.[0]?.code).toBe('INVALID_ARGUMENT');
  });

  test('a role writes, reads and hears only what its configuration covers', async () => {
    const part = open();
    const writer = new BinaryWriter();
    writer.writePackedUint32(1, [EXT.smac]);
    const typeUrl = 'type.googleapis.com/stratum.P4RoleConfig';
    const config = new Any({ typeUrl, value: writer.getResultBuffer() });
    part.bid(7n, { role: new p4.Role({ name: 'learner', config }) });
    expect((await part.next()).arbitration.role.config.typeUrl).toBe(typeUrl);
    const role = { role: 'learner' };
    const counter = new p4.Entity({ counterEntry: new p4.CounterEntry({ counterId: EXT.rx }) });
    const group = new p4.Entity({
      packetReplicationEngineEntry: new p4.PacketReplicationEngineEntry({}),
    });
    const status = await part.write(7n, [insert(smac(1)), modify(counter), insert(group)], role);
    expect(status.elements?.map((each) => each.code)).toEqual([
      'OK',
      'PERMISSION_DENIED',
      'PERMISSION_DENIED',
    ]);
    const push = await part.setPipeline(7n, VERIFY_AND_COMMIT, externsConfig(), 'learner');
    expect(push.code).toBe('PERMISSION_DENIED');
    device.packetIn(0, 0, 1);
    expect((await primary.next()).update).toBe('packet');
    await settled(part);
    const found = await part.read([counter, entry({ tableId: EXT.smac })], 1n, 'learner');
    expect(found.responses.flatMap((each) => each.entities)).toHaveLength(1);
  });
});
