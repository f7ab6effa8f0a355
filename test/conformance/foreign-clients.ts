import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4Info } from '../../common/p4runtime/generated/p4/config/v1/p4info';
import * as ext from '../support/p4runtime/externs-updates';
import { RawController } from '../support/p4runtime/raw-controller';
import { action, bytes, entry, insert } from '../support/p4runtime/sample-updates';
import type { P4RuntimeTarget } from './p4runtime-target';

const { EXT } = ext;
const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;

/** From 00:00:00:00:00:02 to 00:00:00:00:00:01; 64 bytes, so that no link pads it. */
const FRAME = Uint8Array.from(
  Buffer.from(`00000000000100000000000208000102030405${'00'.repeat(45)}`, 'hex'),
);
const HEX = Buffer.from(FRAME).toString('hex');

/**
 * Tests behaviour that clients written against bmv2 rely upon and P4Runtime 1.5.0 does not grant: the same
 * tests with the same answers for bmv2 and for `--compatible bmv2`.
 */
export function foreignClients(name: string, start: () => Promise<P4RuntimeTarget>): void {
  describe(`clients written against bmv2, on ${name}`, () => {
    let target: P4RuntimeTarget;
    let opened: RawController[];

    beforeEach(async () => {
      target = await start();
      opened = [];
    });

    afterEach(async () => {
      for (const controller of opened) controller.close();
      await target.stop();
    });

    const controller = (): RawController => {
      const opening = new RawController(target.address, target.deviceId);
      opened.push(opening);
      return opening;
    };

    /** A primary whose program runs, under a P4Info that may be changed first. */
    const configured = async (change: (info: P4Info) => void = () => undefined) => {
      const primary = controller();
      await primary.bidAndWait(1n);
      const config = ext.externsConfig();
      change(config.p4info);
      expect((await primary.setPipeline(1n, VERIFY_AND_COMMIT, config)).code).toBe('OK');
      return primary;
    };

    /** The same, once a packet has passed: bmv2 gives packets to nobody until someone has sent one. */
    const carrying = async (): Promise<RawController> => {
      const primary = await configured();
      const forward = action(EXT.forward, bytes(3));
      await primary.write(1n, [insert(ext.dmac(1, forward)), insert(ext.smac(2))]);
      target.dataplane.send(1, FRAME);
      expect(await target.dataplane.sent(1)).toEqual([`3 ${HEX}`]);
      return primary;
    };

    const packetOut = (metadata: Readonly<Record<number, number>>): p4.StreamMessageRequest => {
      const fields = Object.entries(metadata).map(
        ([id, value]) => new p4.PacketMetadata({ metadataId: Number(id), value: bytes(value) }),
      );
      const packet = new p4.PacketOut({ payload: FRAME, metadata: fields });
      return new p4.StreamMessageRequest({ packet });
    };

    test('metadata that a packet-out omits is 0', async () => {
      const primary = await carrying();
      primary.send(packetOut({ 1: 4 }));
      expect(await target.dataplane.sent(1)).toEqual([`4 ${HEX}`]);
      primary.send(packetOut({ 2: 0 }));
      expect(await target.dataplane.sent(1)).toEqual([`0 ${HEX}`]);
    });

    test('a packet-out that is refused is not answered, and later ones are sent', async () => {
      const primary = await carrying();
      const backup = controller();
      await backup.bidAndWait(0n);
      backup.send(packetOut({ 1: 3, 2: 0 }));
      backup.bid(2n);
      expect(await backup.standing()).toEqual(['OK', '2']);
      primary.send(packetOut({ 1: 2, 2: 0 }));
      backup.send(packetOut({ 1: 4, 2: 0 }));
      expect(await target.dataplane.sent(1)).toEqual([`4 ${HEX}`]);
    });

    test('an election id is forgotten with its primary', async () => {
      const first = controller();
      await first.bidAndWait(100n);
      const backup = controller();
      await backup.bidAndWait(1n);
      first.close();
      expect(await backup.standing()).toEqual(['OK', '1']);
      expect((await backup.write(1n, [])).code).toBe('FAILED_PRECONDITION');
    });

    test('a client that comes after all others have gone needs no higher election id', async () => {
      const first = controller();
      await first.bidAndWait(100n);
      const watching = controller();
      await watching.bidAndWait(50n);
      first.close();
      await watching.standing();
      watching.close();
      const later = controller();
      // The end of a stream takes its time; until then the id is in use by another.
      let standing = '';
      for (let i = 0; i < 100 && standing !== 'OK'; i++) {
        later.bid(i % 2 === 0 ? 1n : 2n);
        standing = (await later.standing())[0];
      }
      expect(standing).toBe('OK');
    });

    test('without a stream, a write needs no election id', async () => {
      const primary = await configured();
      primary.close();
      const lone = controller();
      let code = '';
      for (let i = 0; i < 100 && code !== 'OK'; i++) {
        code = (await lone.write(undefined, [])).code;
      }
      expect(code).toBe('OK');
    });

    test('key fields and parameters go by their positions, whatever their names', async () => {
      const primary = await configured((info) => {
        for (const table of info.tables) {
          for (const field of table.matchFields) field.name = `their_${field.id}`;
        }
        for (const { params } of info.actions) {
          for (const parameter of params) parameter.name = `their_${parameter.id}`;
        }
      });
      const forward = action(EXT.forward, bytes(2));
      const status = await primary.write(1n, [insert(ext.dmac(1, forward)), insert(ext.smac(2))]);
      expect(status.code).toBe('OK');
      target.dataplane.send(3, FRAME);
      expect(await target.dataplane.sent(1)).toEqual([`2 ${HEX}`]);
    });

    test('a P4Info may leave out tables of the program', async () => {
      const primary = await configured((info) => {
        info.tables = info.tables.filter(({ preamble }) => preamble.id !== EXT.smac);
        info.directMeters = info.directMeters.filter((each) => each.directTableId !== EXT.smac);
        info.directCounters = info.directCounters.filter((each) => each.directTableId !== EXT.smac);
      });
      const forward = action(EXT.forward, bytes(2));
      expect((await primary.write(1n, [insert(ext.dmac(1, forward))])).code).toBe('OK');
    });

    test('a value of no bytes is 0', async () => {
      const primary = await configured();
      const nothing = new p4.FieldMatch({
        fieldId: 1,
        exact: new p4.FieldMatchExact({ value: new Uint8Array(0) }),
      });
      const call = new p4.TableAction({ action: action(EXT.known) });
      const empty = entry({ tableId: EXT.smac, match: [nothing], action: call });
      expect((await primary.write(1n, [insert(empty)])).code).toBe('OK');
      const { responses } = await primary.read([entry({ tableId: EXT.smac })]);
      const [found] = responses.flatMap(({ entities }) => entities);
      expect([...(found?.tableEntry.match[0]?.exact.value ?? [])]).toEqual([0]);
    });

    test('a role changes nothing', async () => {
      const role = new p4.Role({ name: 'part' });
      const [one, other] = [controller(), controller()];
      one.bid(5n, { role });
      expect(await one.standing()).toEqual(['OK', '5']);
      other.bid(6n);
      expect(await other.standing()).toEqual(['OK', '6']);
      expect(await one.standing()).toEqual(['ALREADY_EXISTS', '6']);
    });
  });
}
