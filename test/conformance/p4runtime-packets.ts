import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4RuntimeTraits } from '../support/p4runtime/departures';
import * as ext from '../support/p4runtime/externs-updates';
import { action, bytes, entry, insert, modify } from '../support/p4runtime/sample-updates';
import { configured } from './p4runtime-configured';
import type { StartTarget } from './p4runtime-target';

const { EXT } = ext;

/** From 00:00:00:00:00:02 to 00:00:00:00:00:01; 64 bytes, so that no link pads it. */
const FRAME = Uint8Array.from(
  Buffer.from(`00000000000100000000000208000102030405${'00'.repeat(45)}`, 'hex'),
);
const HEX = Buffer.from(FRAME).toString('hex');

/** Tests the effect of written entities on packets, and of packets on state that is read. */
export function p4RuntimePackets(start: StartTarget, traits: P4RuntimeTraits): void {
  describe('packets', () => {
    const { write, read, controller, dataplane } = configured(start, ext.externsConfig);
    const forward = (port: number): p4.Action => action(EXT.forward, bytes(port));

    test('an entry forwards, and counters tell of it', async () => {
      await write(insert(ext.dmac(1, forward(2))), insert(ext.smac(2)));
      dataplane().send(3, FRAME);
      dataplane().send(3, FRAME);
      expect(await dataplane().sent(2)).toEqual([`2 ${HEX}`, `2 ${HEX}`]);
      const [array] = await read(ext.counter({ index: ext.index(3) }));
      expect(array?.counterEntry.data.toObject()).toEqual(ext.count(2, 128).toObject());
      const counterData = new p4.CounterData({});
      const [direct] = await read(entry({ tableId: EXT.dmac, counterData }));
      expect(direct?.tableEntry.counterData.toObject()).toEqual(ext.count(2, 128).toObject());
    });

    traits.test('a register tells of a packet', async () => {
      await write(insert(ext.dmac(1, forward(2))), insert(ext.smac(2)));
      dataplane().send(3, FRAME);
      expect(await dataplane().sent(1)).toEqual([`2 ${HEX}`]);
      const [source] = await read(ext.register({ index: ext.index(3) }));
      expect([...(source?.registerEntry.data.bitstring ?? [])]).toEqual([2]);
    });

    test('a default action takes what no entry does', async () => {
      const fields = { tableId: EXT.dmac, isDefaultAction: true };
      const call = new p4.TableAction({ action: forward(4) });
      await write(insert(ext.smac(2)), modify(entry({ ...fields, action: call })));
      dataplane().send(1, FRAME);
      expect(await dataplane().sent(1)).toEqual([`4 ${HEX}`]);
    });

    test('a multicast group sends one packet per copy', async () => {
      const replicas = [ext.replica(1, 1), ext.replica(2, 1), ext.replica(2, 2)];
      await write(
        insert(ext.smac(2)),
        insert(ext.multicast({ multicastGroupId: 7, replicas })),
        insert(ext.dmac(1, action(EXT.flood, bytes(7)))),
      );
      dataplane().send(3, FRAME);
      expect(await dataplane().sent(3)).toEqual([`1 ${HEX}`, `2 ${HEX}`, `2 ${HEX}`]);
    });

    test('a clone session sends what arrived', async () => {
      await write(
        insert(ext.smac(2)),
        insert(ext.clone({ sessionId: 5, replicas: [ext.replica(4, 1)] })),
        insert(ext.dmac(1, action(EXT.mirror, bytes(2)))),
      );
      dataplane().send(3, FRAME);
      expect(await dataplane().sent(2)).toEqual([`2 ${HEX}`, `4 ${HEX}`]);
    });

    test('a packet that an entry sends to the CPU port arrives with its metadata', async () => {
      await write(insert(ext.smac(2)), insert(ext.dmac(1, action(EXT.toCpu))));
      dataplane().send(3, FRAME);
      const { packet } = await controller().next();
      expect(Buffer.from(packet.payload).toString('hex')).toBe(HEX);
      expect([...(packet.metadata[0]?.value ?? [])]).toEqual([3]);
    });

    test('a packet of the controller leaves where its metadata says', async () => {
      const metadata = [
        new p4.PacketMetadata({ metadataId: 1, value: bytes(4) }),
        new p4.PacketMetadata({ metadataId: 2, value: bytes(0) }),
      ];
      const packet = new p4.PacketOut({ payload: FRAME, metadata });
      controller().send(new p4.StreamMessageRequest({ packet }));
      expect(await dataplane().sent(1)).toEqual([`4 ${HEX}`]);
    });

    test('an unknown source is learnt by a digest', async () => {
      await write(insert(ext.digest({ maxListSize: 1 })));
      dataplane().send(3, FRAME);
      const { digest } = await controller().next();
      expect(digest.digestId).toBe(EXT.learnt);
      const [sample] = digest.data;
      expect(sample?.struct.members.map((each) => [...each.bitstring])).toEqual([[2], [3]]);
    });

    traits.test('a clone is truncated to the length of its session', async () => {
      const session = { sessionId: 5, replicas: [ext.replica(4, 1)], packetLengthBytes: 16 };
      await write(
        insert(ext.smac(2)),
        insert(ext.clone(session)),
        insert(ext.dmac(1, action(EXT.mirror, bytes(2)))),
      );
      dataplane().send(3, FRAME);
      expect(await dataplane().sent(2)).toEqual([`2 ${HEX}`, `4 ${HEX.slice(0, 32)}`]);
    });

    traits.test('times since the last hit are those of the packets', async () => {
      await write(insert(ext.smac(2, { idleTimeoutNs: '1000000000' })));
      dataplane().send(3, FRAME);
      const timeSinceLastHit = new p4.TableEntryIdleTimeout({});
      const [found] = await read(entry({ tableId: EXT.smac, timeSinceLastHit }));
      expect(found?.tableEntry.timeSinceLastHit.elapsedNs).toBe('0');
    });
  });
}
