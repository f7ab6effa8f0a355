import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { RawController } from '../support/p4runtime/raw-controller';
import { describeIf } from '../support/requires';
import { sampleConfig } from './p4runtime-target';
import type { P4RuntimeTarget, P4RuntimeTraits, StartTarget } from './p4runtime-target';

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;

/** P4Runtime 1.5.0, chapter "Client Arbitration and Controller Replication". */
export function p4RuntimeArbitration(start: StartTarget, traits: P4RuntimeTraits): void {
  describe('arbitration', () => {
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

    const controller = (deviceId = target.deviceId): RawController => {
      const opening = new RawController(target.address, deviceId);
      opened.push(opening);
      return opening;
    };

    test('the first bid wins, and a higher one takes over', async () => {
      const [old, young] = [controller(), controller()];
      old.bid(10n);
      expect(await old.standing()).toEqual(['OK', '10']);
      young.bid(11n);
      expect(await young.standing()).toEqual(['OK', '11']);
      expect(await old.standing()).toEqual(['ALREADY_EXISTS', '11']);
      expect((await old.write(10n, [])).code).toBe('PERMISSION_DENIED');
      expect((await young.write(11n, [])).code).toBe('FAILED_PRECONDITION');
    });

    test('election ids are compared with all their 128 bits', async () => {
      const [low, high] = [controller(), controller()];
      const lowId = 2n ** 64n - 1n;
      low.bid(lowId);
      expect(await low.standing()).toEqual(['OK', String(lowId)]);
      const highId = 2n ** 127n + 2n ** 53n + 1n;
      high.bid(highId);
      expect(await high.standing()).toEqual(['OK', String(highId)]);
      expect((await high.write(highId - 1n, [])).code).toBe('PERMISSION_DENIED');
      expect((await high.write(highId, [])).code).toBe('FAILED_PRECONDITION');
    });

    test('a lower bid makes a backup, which alone is told', async () => {
      const [primary, backup] = [controller(), controller()];
      await primary.bidAndWait(5n);
      backup.bid(4n);
      expect(await backup.standing()).toEqual(['ALREADY_EXISTS', '5']);
      primary.bid(5n);
      expect(await primary.standing()).toEqual(['OK', '5']);
    });

    test('a bid without an id never wins', async () => {
      const backup = controller();
      backup.bid(undefined);
      expect((await backup.standing())[0]).not.toBe('OK');
      expect((await backup.write(undefined, [])).code).not.toBe('OK');
      const zero = controller();
      zero.bid(0n);
      expect(await zero.standing()).toEqual(['OK', '0']);
    });

    test('a primary takes over its own role with a higher id', async () => {
      const only = controller();
      await only.bidAndWait(1n);
      only.bid(9n);
      expect(await only.standing()).toEqual(['OK', '9']);
      expect((await only.write(1n, [])).code).toBe('PERMISSION_DENIED');
    });

    test('an id that is in use ends the stream', async () => {
      const [first, second] = [controller(), controller()];
      await first.bidAndWait(3n);
      second.bid(3n);
      expect((await second.ended()).code).toBe('INVALID_ARGUMENT');
      expect((await first.write(3n, [])).code).toBe('FAILED_PRECONDITION');
    });

    test('an unknown device ends the stream, and is not found by calls', async () => {
      const lost = controller(target.deviceId + 1n);
      lost.bid(1n);
      expect((await lost.ended()).code).toBe('NOT_FOUND');
      expect((await lost.write(1n, [])).code).toBe('NOT_FOUND');
      expect((await lost.read([])).status.code).toBe('NOT_FOUND');
      expect((await lost.setPipeline(1n, VERIFY_AND_COMMIT, sampleConfig())).code).toBe(
        'NOT_FOUND',
      );
    });

    test('a stream keeps its device', async () => {
      const moving = controller();
      await moving.bidAndWait(1n);
      moving.bid(2n, { deviceId: String(target.deviceId + 1n) });
      expect((await moving.ended()).code).toBe('FAILED_PRECONDITION');
    });

    test('state outlives a change of primary', async () => {
      const [old, young] = [controller(), controller()];
      await old.bidAndWait(1n);
      expect((await old.setPipeline(1n, VERIFY_AND_COMMIT, sampleConfig())).code).toBe('OK');
      await young.bidAndWait(2n);
      expect((await young.write(2n, [])).code).toBe('OK');
    });

    describeIf(traits.remembersHighestBid, 'the highest bid', 'this server forgets it', () => {
      test('after the primary leaves there is none, until someone bids as high', async () => {
        const [primary, backup] = [controller(), controller()];
        await primary.bidAndWait(10n);
        await backup.bidAndWait(9n);
        primary.close();
        expect(await backup.standing()).toEqual(['NOT_FOUND', '10']);
        expect((await backup.write(9n, [])).code).toBe('PERMISSION_DENIED');
        expect((await backup.write(10n, [])).code).toBe('PERMISSION_DENIED');
        backup.bid(10n);
        expect(await backup.standing()).toEqual(['OK', '10']);
      });

      test('a primary that bids lower steps down, and everybody is told', async () => {
        const [primary, backup] = [controller(), controller()];
        await primary.bidAndWait(10n);
        await backup.bidAndWait(9n);
        primary.bid(8n);
        expect(await primary.standing()).toEqual(['NOT_FOUND', '10']);
        expect(await backup.standing()).toEqual(['NOT_FOUND', '10']);
      });
    });

    describeIf(traits.roles, 'roles', 'this server ignores roles', () => {
      const role = (name: string): { role: p4.Role } => ({ role: new p4.Role({ name }) });

      test('every role has an election of its own', async () => {
        const [whole, part] = [controller(), controller()];
        await whole.bidAndWait(5n);
        part.bid(5n, role('part'));
        expect(await part.standing()).toEqual(['OK', '5']);
        expect((await part.write(5n, [], { role: 'part' })).code).toBe('FAILED_PRECONDITION');
        expect((await part.write(5n, [], { role: 'other' })).code).toBe('NOT_FOUND');
      });

      test('a stream keeps its role', async () => {
        const moving = controller();
        await moving.bidAndWait(1n);
        moving.bid(1n, role('part'));
        expect((await moving.ended()).code).toBe('FAILED_PRECONDITION');
      });
    });

    describeIf(traits.streamErrors, 'stream errors', 'this server sends none', () => {
      test('a packet of a backup is not permitted, one of the primary comes too early', async () => {
        const sender = controller();
        const packet = new p4.PacketOut({ payload: Uint8Array.of(1, 2, 3) });
        sender.send(new p4.StreamMessageRequest({ packet }));
        expect((await sender.next()).error.canonicalCode).toBe(7);
        await sender.bidAndWait(1n);
        sender.send(new p4.StreamMessageRequest({ packet }));
        const { error } = await sender.next();
        expect(error.canonicalCode).toBe(9);
        expect([...error.packetOut.packetOut.payload]).toEqual([1, 2, 3]);
      });

      test('the 64 bits of a digest list id come back in the refusal', async () => {
        const sender = controller();
        const digestAck = new p4.DigestListAck({ digestId: 1, listId: '9007199254740993' });
        sender.send(new p4.StreamMessageRequest({ digestAck }));
        const { error } = await sender.next();
        expect(error.digestListAck.digestListAck.listId).toBe('9007199254740993');
      });
    });
  });
}
