import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4RuntimeTraits } from '../support/p4runtime/departures';
import {
  action,
  bytes,
  entry,
  exact,
  ID,
  insert,
  lpm,
  member,
  modify,
  portRecord,
  remove,
} from '../support/p4runtime/sample-updates';
import { configured } from './p4runtime-configured';
import { sampleConfig } from './p4runtime-target';
import type { StartTarget } from './p4runtime-target';

type EntryFields = Exclude<
  ConstructorParameters<typeof p4.TableEntry>[0],
  readonly unknown[] | undefined
>;

/** P4Runtime 1.5.0, chapters "P4 Entity Messages", "Write RPC" and "Read RPC". */
export function p4RuntimeEntities(start: StartTarget, traits: P4RuntimeTraits): void {
  describe('writes and reads', () => {
    const { write, outcome, read, readOutcome, controller, electionId } = configured(start);

    const acl = (fields: EntryFields): p4.Entity =>
      entry({
        tableId: ID.acl,
        match: [exact(1, bytes(2))],
        priority: 10,
        action: new p4.TableAction({ action: action(ID.mark, bytes(1)) }),
        ...fields,
      });

    test('an entry is inserted, read, modified and deleted', async () => {
      expect(await outcome(insert(portRecord(300, bytes(1, 0))))).toBe('OK');
      expect(await read(entry({ tableId: ID.portRecord }))).toHaveLength(1);
      expect(await outcome(modify(portRecord(300, bytes(2, 0))))).toBe('OK');
      const [found] = await read(portRecord(300, bytes(1)));
      expect([...(found?.tableEntry.action.action.params[0]?.value ?? [])]).toEqual([2, 0]);
      expect(await outcome(remove(portRecord(300, bytes(1))))).toBe('OK');
      expect(await read(entry({ tableId: ID.portRecord }))).toEqual([]);
    });

    test('an existing entry cannot be inserted, a missing one neither modified nor deleted', async () => {
      await write(insert(portRecord(1, bytes(1))));
      expect(await outcome(insert(portRecord(1, bytes(2))))).toBe('ALREADY_EXISTS');
      expect(await outcome(modify(portRecord(2, bytes(2))))).toBe('NOT_FOUND');
      expect(await outcome(remove(portRecord(2, bytes(2))))).toBe('NOT_FOUND');
    });

    test('a batch of mixed outcomes gets one status per update, in order, and keeps the good ones', async () => {
      const status = await write(
        insert(portRecord(1, bytes(1))),
        insert(portRecord(1, bytes(1))),
        insert(portRecord(2, bytes(1))),
        remove(portRecord(9, bytes(1))),
        insert(portRecord(3, bytes(1, 0, 0, 0, 0))),
        insert(member(1, 1)),
      );
      expect(status.code).toBe('UNKNOWN');
      expect(status.elements?.map((each) => each.code)).toEqual([
        'OK',
        'ALREADY_EXISTS',
        'OK',
        'NOT_FOUND',
        traits.answer('a value of a parameter above its 32 bits', 'OUT_OF_RANGE'),
        'OK',
      ]);
      expect(await read(entry({ tableId: ID.portRecord }))).toHaveLength(2);
    });

    test('statuses of a hundred refused updates fit in the trailer', async () => {
      const updates = Array.from({ length: 100 }, (_, i) => remove(portRecord(i, bytes(1))));
      const status = await write(...updates);
      const codes = status.elements?.map((each) => each.code) ?? [];
      expect(new Set(codes)).toEqual(new Set(['NOT_FOUND']));
      expect(codes.length).toBeGreaterThan(40);
      // Trailers that every client takes hold half of them; the message counts the others.
      const others = codes.length < 100 ? `; and ${100 - codes.length} more refused` : '';
      expect(status.message).toContain(others);
    });

    test('a full table takes no more', async () => {
      for (let i = 1; i <= 4; i++) {
        expect(await outcome(insert(acl({ match: [exact(1, bytes(i))] })))).toBe('OK');
      }
      const full = traits.answer('an entry too many', 'RESOURCE_EXHAUSTED');
      expect(await outcome(insert(acl({ match: [exact(1, bytes(9))] })))).toBe(full);
    });

    test('byte strings are taken padded or not, and returned canonical', async () => {
      expect(await outcome(insert(portRecord(5, bytes(0, 0, 0, 0, 0, 7))))).toBe('OK');
      const again = entry({ tableId: ID.portRecord, match: [exact(1, bytes(0, 0, 5))] });
      const [found] = await read(again);
      expect([...(found?.tableEntry.match[0]?.exact.value ?? [])]).toEqual([5]);
      expect([...(found?.tableEntry.action.action.params[0]?.value ?? [])]).toEqual([7]);
    });

    test.each([
      ['of a key above its 9 bits', portRecord(512, bytes(1))],
      ['of a parameter above its 32 bits', portRecord(1, bytes(1, 0, 0, 0, 0))],
      ['that is empty', portRecord(1, bytes())],
    ])('a value %s is out of range', async (what, entity) => {
      const code = traits.answer(`a value ${what}`, 'OUT_OF_RANGE');
      expect(await outcome(insert(entity))).toBe(code);
    });

    const { fieldMatch, ternary, range } = matches();
    test.each([
      ['a zero priority', { priority: 0 }],
      ['a missing exact field', { match: [] }],
      ['an unknown field', { match: [exact(9, bytes(1))] }],
      ['a field twice', { match: [exact(1, bytes(1)), exact(1, bytes(1))] }],
      ['a field of another kind', { match: [exact(1, bytes(1)), exact(2, bytes(1))] }],
      ['a zero mask', { match: [exact(1, bytes(1)), ternary(bytes(0), bytes(0))] }],
      ['bits outside the mask', { match: [exact(1, bytes(1)), ternary(bytes(3), bytes(1))] }],
      ['an empty range', { match: [exact(1, bytes(1)), range(bytes(2), bytes(1))] }],
      ['the full range', { match: [exact(1, bytes(1)), range(bytes(0), bytes(255, 255))] }],
      ['no match type', { match: [exact(1, bytes(1)), fieldMatch(4, {})] }],
      ['no action', { action: new p4.TableAction({}) }],
      ['an unknown action', { action: new p4.TableAction({ action: action(4711) }) }],
      [
        'an action of another table',
        { action: new p4.TableAction({ action: action(ID.setSeed) }) },
      ],
      ['a missing parameter', { action: new p4.TableAction({ action: action(ID.mark) }) }],
      [
        'a parameter too many',
        { action: new p4.TableAction({ action: action(ID.mark, bytes(1), bytes(1)) }) },
      ],
      ['a member of no profile', { action: new p4.TableAction({ actionProfileMemberId: 1 }) }],
      ['is_const', { isConst: true }],
    ])('an entry with %s is invalid', async (what, fields) => {
      const code: string = traits.answer(`an entry with ${what}`, 'INVALID_ARGUMENT');
      expect(await outcome(insert(acl(fields)))).toBe(code);
      const found = await read(entry({ tableId: ID.acl }));
      expect(found).toHaveLength(code === 'OK' ? 1 : 0);
    });

    test.each([
      ['a prefix of length 0', lpm(bytes(0), 0)],
      ['a prefix longer than the field', lpm(bytes(10, 0, 0, 0), 33)],
      ['bits behind the prefix', lpm(bytes(10, 0, 0, 1), 24)],
    ])('a route with %s is invalid', async (_, match) => {
      await write(insert(member(1, 1)));
      const to = new p4.TableAction({ actionProfileMemberId: 1 });
      const entity = entry({ tableId: ID.route, match: [match], action: to });
      expect(await outcome(insert(entity))).toBe('INVALID_ARGUMENT');
    });

    test('all kinds of match come back as they were sent, without what does not matter', async () => {
      const match = [
        exact(1, bytes(2, 0, 0, 0, 0, 1)),
        ternary(bytes(10, 0, 0, 0), bytes(255, 0, 0, 0)),
        range(bytes(1), bytes(4, 0)),
        fieldMatch(4, { optional: new p4.FieldMatchOptional({ value: bytes(17) }) }),
      ];
      await write(insert(acl({ match })), insert(acl({ match: match.slice(0, 1), priority: 3 })));
      const found = await read(entry({ tableId: ID.acl }));
      expect(found.map((each) => each.tableEntry.match.map((m) => m.toObject()))).toEqual([
        match.map((m) => m.toObject()),
        match.slice(0, 1).map((m) => m.toObject()),
      ]);
      expect(found.map((each) => each.tableEntry.priority)).toEqual([10, 3]);
    });

    test('entries of equal match and different priority are different entries', async () => {
      expect(await outcome(insert(acl({ priority: 1 })))).toBe('OK');
      expect(await outcome(insert(acl({ priority: 2 })))).toBe('OK');
      expect(await outcome(insert(acl({ priority: 2 })))).toBe('ALREADY_EXISTS');
      const filtered = traits.answer('how many entries a filter by priority lets through', 1);
      expect(await read(entry({ tableId: ID.acl, priority: 2 }))).toHaveLength(filtered);
      const { responses, status } = await controller().read([
        entry({ tableId: ID.acl, match: [exact(1, bytes(2))] }),
      ]);
      const entities = responses.flatMap((each) => each.entities);
      expect([status.code, entities.length]).toEqual(
        traits.answer('a filter by match without a priority', ['OK', 2]),
      );
    });

    test('a priority where there is nothing to choose is invalid', async () => {
      const record = portRecord(1, bytes(1));
      record.tableEntry.priority = 1;
      expect(await outcome(insert(record))).toBe('INVALID_ARGUMENT');
    });

    test('metadata stays with its entry, all 64 bits of the older kind too', async () => {
      const metadata = bytes(1, 2, 3);
      const controllerMetadata = '18446744073709551615';
      await write(insert(acl({ metadata, controllerMetadata })));
      const [found] = await read(entry({ tableId: ID.acl, metadata }));
      expect([...(found?.tableEntry.metadata ?? [])]).toEqual([1, 2, 3]);
      expect(found?.tableEntry.controllerMetadata).toBe(controllerMetadata);
      const filtered = traits.answer('how many entries a filter by metadata lets through', 0);
      expect(await read(entry({ tableId: ID.acl, metadata: bytes(9) }))).toHaveLength(filtered);
      await write(remove(acl({})), insert(acl({})));
      const [fresh] = await read(entry({ tableId: ID.acl }));
      expect([...(fresh?.tableEntry.metadata ?? [1])]).toEqual([]);
    });

    test('the default entry is modified and reset, never inserted or deleted', async () => {
      const seed = (value: number): p4.Entity =>
        entry({
          tableId: ID.seed,
          isDefaultAction: true,
          action: new p4.TableAction({ action: action(ID.setSeed, bytes(value)) }),
        });
      const now = async (): Promise<number[]> => {
        const [found] = await read(entry({ tableId: ID.seed, isDefaultAction: true }));
        return [...(found?.tableEntry.action.action.params[0]?.value ?? [])];
      };
      expect(await outcome(insert(seed(1)))).toBe('INVALID_ARGUMENT');
      expect(await outcome(remove(seed(1)))).toBe('INVALID_ARGUMENT');
      expect(await outcome(modify(seed(7)))).toBe('OK');
      expect(await now()).toEqual([7]);
      const reset = entry({ tableId: ID.seed, isDefaultAction: true });
      expect(await outcome(modify(reset))).toBe('OK');
      expect(await now()).toEqual([0]);
    });

    test('a table without key has no entries but the default one', async () => {
      const keyless = entry({
        tableId: ID.seed,
        action: new p4.TableAction({ action: action(ID.setSeed, bytes(1)) }),
      });
      expect(await outcome(insert(keyless))).toBe(
        traits.answer('an entry of a table without key', 'INVALID_ARGUMENT'),
      );
    });

    test('a wildcard read takes tables with initial entries', async () => {
      expect(await readOutcome(entry({}))).toBe(traits.answer('a read of initial entries', 'OK'));
    });

    traits.test('a wildcard read leaves default entries out', async () => {
      await write(insert(portRecord(1, bytes(1))), insert(acl({})));
      const found = await read(entry({}));
      expect(found.filter((each) => each.tableEntry.isDefaultAction)).toEqual([]);
      const tables = new Set(found.map((each) => each.tableEntry.tableId));
      expect([...tables].sort()).toEqual([ID.acl, ID.classes, ID.portRecord, ID.marks]);
    });

    test.each([
      ['a constant default action', { tableId: ID.portRecord, action: action(ID.noRecord) }],
      ['an action that only entries may have', { tableId: ID.acl, action: action(ID.deny) }],
    ])('%s cannot become the default', async (_, { tableId, action: call }) => {
      const fields = { tableId, isDefaultAction: true };
      const update = modify(entry({ ...fields, action: new p4.TableAction({ action: call }) }));
      expect(await outcome(update)).toBe('PERMISSION_DENIED');
    });

    test('an action that only the default entry may have is not permitted in others', async () => {
      const fields = { action: new p4.TableAction({ action: action(ID.noAction) }) };
      expect(await outcome(insert(acl(fields)))).toBe('PERMISSION_DENIED');
    });

    test('entries that the program fixes can be read and not written', async () => {
      const [fixed] = await read(entry({ tableId: ID.classes }));
      expect([...(fixed?.tableEntry.match[0]?.exact.value ?? [])]).toEqual([0x11]);
      expect([...(fixed?.tableEntry.action.action.params[0]?.value ?? [])]).toEqual([5]);
      const other = entry({
        tableId: ID.classes,
        match: [exact(1, bytes(6))],
        action: new p4.TableAction({ action: action(ID.mark, bytes(1)) }),
      });
      const code = traits.answer('an entry of a constant table', 'PERMISSION_DENIED');
      expect(await outcome(insert(other))).toBe(code);
    });

    traits.test(
      'entries that the program brings at first can be read, modified and deleted',
      async () => {
        const mark = (port: number, value: number): p4.Entity =>
          entry({
            tableId: ID.marks,
            match: [exact(1, bytes(port))],
            action: new p4.TableAction({ action: action(ID.mark, bytes(value)) }),
          });
        const now = async (): Promise<(readonly [number, number, boolean])[]> => {
          const found = await read(entry({ tableId: ID.marks }));
          return found.map(({ tableEntry: { match, action: does, isConst } }) => [
            match[0]?.exact.value[0] ?? -1,
            does.action.params[0]?.value[0] ?? -1,
            isConst,
          ]);
        };
        expect(await now()).toEqual([
          [7, 1, false],
          [9, 2, false],
        ]);
        expect(await outcome(insert(mark(7, 3)))).toBe('ALREADY_EXISTS');
        expect(await outcome(modify(mark(7, 3)))).toBe('OK');
        expect(await outcome(remove(mark(9, 0)))).toBe('OK');
        for (const port of [1, 2, 3]) expect(await outcome(insert(mark(port, 4)))).toBe('OK');
        expect(await outcome(insert(mark(4, 4)))).toBe('RESOURCE_EXHAUSTED');
        expect((await now()).map(([port]) => port)).toEqual([7, 1, 2, 3]);
      },
    );

    test('other atomicities and entities are not supported', async () => {
      const { ROLLBACK_ON_ERROR: atomicity } = p4.WriteRequestAtomicity;
      expect((await controller().write(electionId(), [], { atomicity })).code).toBe(
        'UNIMPLEMENTED',
      );
      const extern = new p4.Entity({ externEntry: new p4.ExternEntry({ externTypeId: 129 }) });
      expect(await outcome(modify(extern))).toBe('UNIMPLEMENTED');
      const nothing = traits.answer('an update of no entity', 'INVALID_ARGUMENT');
      expect(await outcome(modify(new p4.Entity({})))).toBe(nothing);
      const typeless = new p4.Update({ entity: portRecord(1, bytes(1)) });
      expect(await outcome(typeless)).toBe('INVALID_ARGUMENT');
    });

    test('a read of several requests returns the good ones and tells of the others in order', async () => {
      await write(insert(portRecord(1, bytes(1))));
      const { responses, status } = await controller().read([
        new p4.Entity({}),
        entry({ tableId: ID.portRecord }),
        entry({ tableId: 4711 }),
      ]);
      const entities = responses.flatMap((each) => each.entities);
      const codes = status.elements?.map((each) => each.code);
      expect([entities.length, status.code, codes]).toEqual(
        traits.answer<readonly unknown[]>('a read of which one request fails', [
          1,
          'UNKNOWN',
          ['INVALID_ARGUMENT', 'OK', 'INVALID_ARGUMENT'],
        ]),
      );
    });

    test('a new configuration clears all state', async () => {
      await write(insert(portRecord(1, bytes(1))));
      const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;
      await controller().setPipeline(electionId(), VERIFY_AND_COMMIT, sampleConfig());
      expect(await read(entry({ tableId: ID.portRecord }))).toEqual([]);
    });

    test('hundreds of entries are written and read', async () => {
      const ports = Array.from({ length: 500 }, (_, i) => i);
      for (let i = 0; i < ports.length; i += 100) {
        const updates = ports.slice(i, i + 100).map((port) => insert(portRecord(port, bytes(1))));
        expect((await write(...updates)).code).toBe('OK');
      }
      expect(await read(entry({ tableId: ID.portRecord }))).toHaveLength(500);
    });
  });
}

function matches(): {
  fieldMatch: (fieldId: number, kind: { optional?: p4.FieldMatchOptional }) => p4.FieldMatch;
  ternary: (value: Uint8Array, mask: Uint8Array) => p4.FieldMatch;
  range: (low: Uint8Array, high: Uint8Array) => p4.FieldMatch;
} {
  return {
    fieldMatch: (fieldId, kind) => new p4.FieldMatch({ fieldId, ...kind }),
    ternary: (value, mask) =>
      new p4.FieldMatch({ fieldId: 2, ternary: new p4.FieldMatchTernary({ value, mask }) }),
    range: (low, high) =>
      new p4.FieldMatch({ fieldId: 3, range: new p4.FieldMatchRange({ low, high }) }),
  };
}
