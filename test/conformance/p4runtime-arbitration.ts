import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4RuntimeTraits } from '../support/p4runtime/departures';
import { RawController } from '../support/p4runtime/raw-controller';
import { sampleConfig } from './p4runtime-target';
import type { P4RuntimeTarget, StartTarget } from './p4runtime-target';

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;

/** P4Runtime 1.5.0, chapter "Client Arbitration and Controller Replication". */
export function p4RuntimeArbitration(start: StartTarget, traits: P4RuntimeTraits): void {
  describe('arbitration', () => {
    let target: P4RuntimeTarget;
    let opened: RawController[];

    beforeEach(async () => {
      target = await start('blank');
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
      primary.bid(6n);
      const repeated = traits.answer('the standing after a repeated bid', ['OK', '5']);
      expect(await primary.standing()).toEqual(repeated);
    });

    test('a bid without an id never wins', async () => {
      const backup = controller();
      backup.bid(undefined);
      const standing = traits.answer('a bid without an id', ['NOT_FOUND', undefined]);
      expect(await backup.standing()).toEqual(standing);
      const { code } = await backup.write(undefined, []);
      expect(code).toBe(traits.answer('a write without an id', 'PERMISSION_DENIED'));
      const zero = controller();
      zero.bid(0n);
      const second = traits.answer('a bid of zero after a bid without an id', 'OK 0');
      expect(await firstAnswer(zero)).toBe(second);
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
      const bid = traits.answer('a bid for an unknown device', 'ended with NOT_FOUND');
      expect(await firstAnswer(lost)).toBe(bid);
      const call = traits.answer('a call for an unknown device', 'NOT_FOUND');
      expect((await lost.write(1n, [])).code).toBe(call);
      expect((await lost.read([])).status.code).toBe(call);
      const { code } = await lost.setPipeline(1n, VERIFY_AND_COMMIT, sampleConfig());
      expect(code).toBe(traits.answer('a push to an unknown device', 'NOT_FOUND'));
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

    test('after the primary leaves there is none, until someone bids as high', async () => {
      const [primary, backup] = [controller(), controller()];
      await primary.bidAndWait(10n);
      await backup.bidAndWait(9n);
      primary.close();
      const left = traits.answer('the standing after the primary has left', ['NOT_FOUND', '10']);
      expect(await backup.standing()).toEqual(left);
      const own = traits.answer('a write of a backup without a primary', 'PERMISSION_DENIED');
      expect((await backup.write(9n, [])).code).toBe(own);
      expect((await backup.write(10n, [])).code).toBe('PERMISSION_DENIED');
      backup.bid(10n);
      expect(await backup.standing()).toEqual(['OK', '10']);
    });

    test('a primary that bids lower steps down, and everybody is told', async () => {
      const [primary, backup] = [controller(), controller()];
      await primary.bidAndWait(10n);
      await backup.bidAndWait(9n);
      primary.bid(8n);
      const nobody: readonly string[] = ['NOT_FOUND', '10'];
      const old = traits.answer('the standing of a primary that bids lower', nobody);
      expect(await primary.standing()).toEqual(old);
      const next = traits.answer('the standing of a backup when the primary bids lower', nobody);
      expect(await backup.standing()).toEqual(next);
    });

    const role = (name: string): { role: p4.Role } => ({ role: new p4.Role({ name }) });

    test('every role has an election of its own', async () => {
      const [whole, part] = [controller(), controller()];
      await whole.bidAndWait(5n);
      part.bid(5n, role('part'));
      const bid = traits.answer('an equal bid for another role', 'OK 5');
      expect(await firstAnswer(part)).toBe(bid);
      expect((await part.write(5n, [], { role: 'part' })).code).toBe('FAILED_PRECONDITION');
      const other = traits.answer('a write of another role', 'NOT_FOUND');
      expect((await part.write(5n, [], { role: 'other' })).code).toBe(other);
    });

    test('a stream keeps its role', async () => {
      const moving = controller();
      await moving.bidAndWait(1n);
      moving.bid(2n, role('part'));
      const moved = traits.answer('a change of role', 'ended with FAILED_PRECONDITION');
      expect(await firstAnswer(moving)).toBe(moved);
    });

    /** The canonical code of a stream error, or else the kind of message that comes instead. */
    const refusal = ({ update, error }: p4.StreamMessageResponse): number | string | undefined =>
      update === 'error' ? error.canonicalCode : update;

    test('a packet of a backup is not permitted, one of the primary comes too early', async () => {
      const sender = controller();
      const packet = new p4.PacketOut({ payload: Uint8Array.of(1, 2, 3) });
      sender.bid(undefined);
      await sender.next();
      sender.send(new p4.StreamMessageRequest({ packet }));
      sender.bid(1n);
      const early = traits.answer<number | string | undefined>('a packet of a backup', 7);
      const first = await sender.next();
      expect(refusal(first)).toBe(early);
      if (first.update === 'error') await sender.next();
      sender.send(new p4.StreamMessageRequest({ packet }));
      sender.bid(2n);
      const second = await sender.next();
      const unready = traits.answer<number | string | undefined>(
        'a packet before the first program',
        9,
      );
      expect(refusal(second)).toBe(unready);
      const payload = second.update === 'error' ? second.error.packetOut.packetOut.payload : [];
      const returned = traits.answer('the packet in a refusal', [1, 2, 3]);
      expect([...payload]).toEqual(returned);
    });

    test('the 64 bits of a digest list id come back in the refusal', async () => {
      const sender = controller();
      sender.bid(undefined);
      await sender.next();
      const digestAck = new p4.DigestListAck({ digestId: 1, listId: '9007199254740993' });
      sender.send(new p4.StreamMessageRequest({ digestAck }));
      sender.bid(1n);
      const answered = await sender.next();
      const { update } = answered;
      const found = update === 'error' ? answered.error.digestListAck.digestListAck.listId : update;
      expect(found).toBe(traits.answer('the digest list in a refusal', '9007199254740993'));
    });
  });
}

/** The standing that a bid brings, or how it ends the stream, whichever the server does. */
function firstAnswer(controller: RawController): Promise<string> {
  const standing = controller.standing().then(([code, highest]) => `${code} ${highest ?? 'none'}`);
  const end = controller.ended().then(({ code }) => `ended with ${code}`);
  return Promise.race([standing, end]);
}
