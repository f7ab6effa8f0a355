import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4RuntimeTraits } from '../support/p4runtime/departures';
import { clone, externsConfig, multicast, replica } from '../support/p4runtime/externs-updates';
import { bytes, insert, modify, remove } from '../support/p4runtime/sample-updates';
import { configured } from './p4runtime-configured';
import type { StartTarget } from './p4runtime-target';

/** P4Runtime 1.5.0, section "PacketReplicationEngineEntry". */
export function p4RuntimeReplication(start: StartTarget, traits: P4RuntimeTraits): void {
  describe('packet replication', () => {
    const { write, outcome, read } = configured(start, externsConfig);
    const group = (multicastGroupId: number, ...replicas: p4.Replica[]): p4.Entity =>
      multicast({ multicastGroupId, replicas });
    const session = (sessionId: number, ...replicas: p4.Replica[]): p4.Entity =>
      clone({ sessionId, replicas });

    test('a multicast group is inserted, modified, read and deleted', async () => {
      expect(await outcome(insert(group(1, replica(1, 1), replica(2, 1))))).toBe('OK');
      expect(await outcome(insert(group(1)))).toBe('ALREADY_EXISTS');
      expect(await outcome(modify(group(1, replica(3, 7))))).toBe('OK');
      await write(insert(group(2, replica(1, 0))));
      const all = await read(multicast({}));
      const ids = all.map(
        (each) => each.packetReplicationEngineEntry.multicastGroupEntry.multicastGroupId,
      );
      expect(ids.sort()).toEqual([1, 2]);
      const [one] = await read(group(1));
      const { replicas } = one?.packetReplicationEngineEntry.multicastGroupEntry ?? {
        replicas: [],
      };
      expect(replicas.map((each) => [...each.port, each.instance])).toEqual([[3, 7]]);
      expect(await outcome(remove(group(1)))).toBe('OK');
      expect(await outcome(remove(group(1)))).toBe('NOT_FOUND');
      expect(await outcome(modify(group(1)))).toBe('NOT_FOUND');
    });

    test('a clone session is inserted, modified, read and deleted', async () => {
      expect(await outcome(insert(session(5, replica(1, 1))))).toBe('OK');
      expect(await outcome(insert(session(5)))).toBe('ALREADY_EXISTS');
      expect(await outcome(modify(session(5, replica(2, 1))))).toBe('OK');
      const [found] = await read(clone({}));
      const { replicas } = found?.packetReplicationEngineEntry.cloneSessionEntry ?? {
        replicas: [],
      };
      expect(replicas.map((each) => [...each.port])).toEqual([[2]]);
      expect(await outcome(remove(session(5)))).toBe('OK');
      expect(await outcome(remove(session(5)))).toBe('NOT_FOUND');
    });

    test.each([
      ['group 0', insert(group(0))],
      ['session 0', insert(session(0))],
      ['a copy twice', insert(group(1, replica(1, 1), replica(1, 1)))],
      ['a group above 32767', insert(group(32768))],
      ['a session above 32767', insert(session(32768))],
      ['the drop port', insert(group(1, new p4.Replica({ port: bytes(1, 255) })))],
      ['no port', insert(group(1, new p4.Replica({})))],
      ['an empty port', insert(group(1, new p4.Replica({ port: bytes() })))],
      ['an instance above 16 bits', insert(group(1, replica(1, 65536)))],
      ['a negative truncation', insert(clone({ sessionId: 1, packetLengthBytes: -1 }))],
      ['a port that is its own backup', insert(group(1, backedUp(1, [1, 2])))],
      ['a backup that is another copy', insert(group(1, backedUp(1, [2, 0]), replica(2, 0)))],
      [
        'neither a group nor a session',
        insert(
          new p4.Entity({
            packetReplicationEngineEntry: new p4.PacketReplicationEngineEntry({}),
          }),
        ),
      ],
    ])('%s is invalid', async (what, update) => {
      const code: string = traits.answer(what, 'INVALID_ARGUMENT');
      expect(await outcome(update)).toBe(code);
      expect(await read(multicast({}))).toHaveLength(code === 'OK' ? 1 : 0);
    });

    test('groups keep metadata and backups', async () => {
      const own = { multicastGroupId: 3, metadata: bytes(7, 8), replicas: [backedUp(1, [2, 5])] };
      expect(await outcome(insert(multicast(own)))).toBe('OK');
      const [found] = await read(multicast({}));
      const message = found?.packetReplicationEngineEntry.multicastGroupEntry;
      const { metadata, replicas } = new p4.MulticastGroupEntry(own).toObject();
      const kept = traits.answer('what a group keeps', { metadata, replicas });
      expect(message?.toObject()).toEqual({ multicastGroupId: 3, ...kept });
    });

    test('a clone session keeps its truncation', async () => {
      const cut = { sessionId: 9, replicas: [replica(1, 0)], packetLengthBytes: 64 };
      expect(await outcome(insert(clone(cut)))).toBe(traits.answer('a truncating session', 'OK'));
      const [found] = await read(clone({}));
      const entry = found?.packetReplicationEngineEntry.cloneSessionEntry;
      const wanted = new p4.CloneSessionEntry(cut).toObject();
      expect(entry?.toObject()).toEqual(traits.answer('what a truncating session keeps', wanted));
    });

    test('the older form of a port is taken and returned', async () => {
      // oxlint-disable-next-line typescript/no-deprecated -- the form that is tested
      const older = group(1, new p4.Replica({ egressPort: 4, instance: 1 }));
      expect(await outcome(insert(older))).toBe('OK');
      const [found] = await read(multicast({}));
      const [copy] = found?.packetReplicationEngineEntry.multicastGroupEntry.replicas ?? [];
      expect(copy?.toObject()).toMatchObject({ egressPort: 4, instance: 1 });
    });

    test('classes of service are not supported', async () => {
      const update = insert(clone({ sessionId: 1, classOfService: 2 }));
      expect(await outcome(update)).toBe('UNIMPLEMENTED');
    });
  });
}

function backedUp(port: number, backup: readonly [number, number]): p4.Replica {
  const [backupPort, instance] = backup;
  const backupReplicas = [new p4.BackupReplica({ port: bytes(backupPort), instance })];
  return new p4.Replica({ port: bytes(port), instance: 0, backupReplicas });
}
