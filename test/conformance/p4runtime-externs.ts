import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4RuntimeTraits } from '../support/p4runtime/departures';
import {
  bitstring,
  counter,
  dmac,
  count,
  EXT,
  externsConfig,
  index,
  meter,
  rates,
  register,
  smac,
  trusted,
} from '../support/p4runtime/externs-updates';
import { action, bytes, entry, insert, modify, remove } from '../support/p4runtime/sample-updates';
import { configured } from './p4runtime-configured';
import type { StartTarget } from './p4runtime-target';

/** P4Runtime 1.5.0, sections "CounterEntry" to "ValueSetEntry", without packets. */
export function p4RuntimeExterns(start: StartTarget, traits: P4RuntimeTraits): void {
  describe('counters, meters, registers and value sets', () => {
    const { write, outcome, read, readOutcome } = configured(start, externsConfig);

    test('a counter is set and read by cell, by counter and by wildcard', async () => {
      expect(await outcome(modify(counter({ index: index(3), data: count(2, 128) })))).toBe('OK');
      const [cell] = await read(counter({ index: index(3) }));
      expect(cell?.counterEntry.toObject()).toEqual({
        counterId: EXT.rx,
        index: { index: '3' },
        data: { packetCount: '2', byteCount: '128' },
      });
      expect(await read(counter({}))).toHaveLength(8);
      expect(await read(counter({ counterId: 0 }))).toHaveLength(8);
    });

    test.each([
      ['an insert', insert(counter({ index: index(0) })), 'INVALID_ARGUMENT'],
      ['a negative index', modify(counter({ index: index(-1) })), 'INVALID_ARGUMENT'],
      ['an index behind the last', modify(counter({ index: index(8) })), 'OUT_OF_RANGE'],
      ['an unknown counter', modify(counter({ counterId: 4711 })), 'INVALID_ARGUMENT'],
      ['a meter cell behind the last', modify(meter({ index: index(8) })), 'OUT_OF_RANGE'],
      ['an insert of a meter', insert(meter({ index: index(0) })), 'INVALID_ARGUMENT'],
      ['a deletion of a meter', remove(meter({ index: index(0) })), 'INVALID_ARGUMENT'],
    ])('%s is refused', async (what, update, code) => {
      expect(await outcome(update)).toBe(traits.answer(what, code));
    });

    test.each([
      ['a write of all cells of a counter', modify(counter({ data: count(1, 64) }))],
      ['a write of all cells of a meter', modify(meter({ config: rates(1, 1, 2, 2) }))],
      ['a write of a register', modify(register({ index: index(0), data: bitstring(9) }))],
      ['a write of a value set', modify(trusted([0x08, 0x00]))],
    ])('%s is taken', async (what, update) => {
      expect(await outcome(update)).toBe(traits.answer(what, 'OK'));
    });

    test.each([
      ['a read of a register', register({ index: index(0) })],
      ['a read of a value set', trusted()],
      [
        'a read of all direct counters',
        new p4.Entity({ directCounterEntry: new p4.DirectCounterEntry({}) }),
      ],
      [
        'a read of all direct meters',
        new p4.Entity({ directMeterEntry: new p4.DirectMeterEntry({}) }),
      ],
    ])('%s is answered', async (what, filter) => {
      expect(await readOutcome(filter)).toBe(traits.answer(what, 'OK'));
    });

    test('a meter is configured, read back and reset', async () => {
      const config = rates(1000, 100, 2000, 200);
      expect(await outcome(modify(meter({ index: index(1), config })))).toBe('OK');
      const [set] = await read(meter({ index: index(1) }));
      expect(set?.meterEntry.config.toObject()).toEqual(config.toObject());
      expect(await outcome(modify(meter({ index: index(1) })))).toBe('OK');
      const [reset] = await read(meter({ index: index(1) }));
      expect(reset?.meterEntry.hasConfig).toBe(false);
      expect(await read(meter({ meterId: 0 }))).toHaveLength(8);
    });

    test('the counter of an entry is written with it, alone, and read either way', async () => {
      const [own] = [dmac(1, action(EXT.forward, bytes(2)), { counterData: count(5, 500) })];
      expect(await outcome(insert(own))).toBe('OK');
      const wanted = entry({ tableId: EXT.dmac, counterData: new p4.CounterData({}) });
      const [found] = await read(wanted);
      expect(found?.tableEntry.counterData.toObject()).toEqual(count(5, 500).toObject());
      const [plain] = await read(entry({ tableId: EXT.dmac }));
      expect(plain?.tableEntry.hasCounterData).toBe(false);
      const { tableEntry } = dmac(1, action(EXT.deny));
      const direct = (data?: p4.CounterData): p4.Entity => {
        const fields = data === undefined ? { tableEntry } : { tableEntry, data };
        return new p4.Entity({ directCounterEntry: new p4.DirectCounterEntry(fields) });
      };
      expect(await outcome(modify(direct(count(7, 700))))).toBe('OK');
      const [alone] = await read(direct());
      expect(alone?.directCounterEntry.data.toObject()).toEqual(count(7, 700).toObject());
    });

    test('the meter of an entry is written with it, alone, and reset by a modification', async () => {
      const config = rates(10, 1, 20, 2);
      const forward = action(EXT.forward, bytes(2));
      expect(await outcome(insert(dmac(1, forward, { meterConfig: config })))).toBe('OK');
      const wanted = entry({ tableId: EXT.dmac, meterConfig: new p4.MeterConfig({}) });
      const [found] = await read(wanted);
      expect(found?.tableEntry.meterConfig.toObject()).toEqual(config.toObject());
      const { tableEntry } = dmac(1, forward);
      const direct = new p4.Entity({ directMeterEntry: new p4.DirectMeterEntry({ tableEntry }) });
      const [alone] = await read(direct);
      expect(alone?.directMeterEntry.config.toObject()).toEqual(config.toObject());
      expect(await outcome(modify(direct))).toBe('OK');
      expect((await read(direct))[0]?.directMeterEntry.hasConfig).toBe(false);
    });

    traits.test('all cells of a counter, a meter and a register are written at once', async () => {
      const updates = [
        modify(counter({ data: count(1, 64) })),
        modify(meter({ config: rates(1, 1, 2, 2) })),
        modify(register({ data: bitstring(9) })),
      ];
      expect((await write(...updates)).code).toBe('OK');
      const counts = await read(counter({}));
      expect(counts.map((each) => each.counterEntry.data.packetCount)).toEqual(
        new Array(8).fill('1'),
      );
      const meters = await read(meter({}));
      expect(meters.every((each) => each.meterEntry.config.pir === '2')).toBe(true);
      const cells = await read(register({}));
      expect(cells.map((each) => [...each.registerEntry.data.bitstring])).toEqual(
        new Array(8).fill([9]),
      );
    });

    traits.test('a register is written and read by cell, signed or not', async () => {
      const cell = register({ index: index(2), data: bitstring(1, 2, 3, 4, 5, 6) });
      expect(await outcome(modify(cell))).toBe('OK');
      const [found] = await read(register({ index: index(2) }));
      expect([...(found?.registerEntry.data.bitstring ?? [])]).toEqual([1, 2, 3, 4, 5, 6]);
      const minus = { registerId: EXT.balance, index: index(0), data: bitstring(0xff) };
      expect(await outcome(modify(register(minus)))).toBe('OK');
      const [signed] = await read(register({ registerId: EXT.balance, index: index(0) }));
      expect([...(signed?.registerEntry.data.bitstring ?? [])]).toEqual([0xff]);
      expect(await read(register({ registerId: 0 }))).toHaveLength(12);
    });

    test.each([
      ['an insert', insert(register({ data: bitstring(1) })), 'INVALID_ARGUMENT'],
      ['no data', modify(register({ index: index(0) })), 'INVALID_ARGUMENT'],
      ['an index behind the last', modify(register({ index: index(8) })), 'OUT_OF_RANGE'],
      [
        'a value above 48 bits',
        modify(register({ index: index(0), data: bitstring(1, 0, 0, 0, 0, 0, 0) })),
        'OUT_OF_RANGE',
      ],
      [
        'a value above 16 signed bits',
        modify(register({ registerId: EXT.balance, data: bitstring(0, 0x80, 0) })),
        'OUT_OF_RANGE',
      ],
    ])('a register with %s is refused', async (what, update, code) => {
      const refusal = traits.answer(`a register with ${what}`, code);
      expect(await outcome(update)).toBe(refusal);
    });

    test.each([
      ['a negative rate', rates(-1, 1, 1, 1), 'INVALID_ARGUMENT'],
      ['a cir above the pir', rates(2, 1, 1, 1), 'INVALID_ARGUMENT'],
      ['a burst above 32 bits', rates(1, 2 ** 32, 1, 1), 'OUT_OF_RANGE'],
      ['an eburst', new p4.MeterConfig({ eburst: '1' }), 'INVALID_ARGUMENT'],
    ])('meter rates with %s are refused', async (what, config, code) => {
      const refusal = traits.answer(`meter rates with ${what}`, code);
      expect(await outcome(modify(meter({ index: index(0), config })))).toBe(refusal);
    });

    test('counters per colour do not exist', async () => {
      const counterData = new p4.MeterCounterData({});
      const code = traits.answer('counters per colour', 'UNIMPLEMENTED');
      expect(await outcome(modify(meter({ index: index(0), counterData })))).toBe(code);
    });

    traits.test('direct resources of all tables are read at once', async () => {
      await write(insert(smac(1)), insert(dmac(1, action(EXT.deny))));
      const counters = await read(
        new p4.Entity({ directCounterEntry: new p4.DirectCounterEntry({}) }),
      );
      const tables = counters.map((each) => each.directCounterEntry.tableEntry.tableId);
      expect(tables).toEqual([EXT.smac, EXT.dmac]);
      const meters = await read(new p4.Entity({ directMeterEntry: new p4.DirectMeterEntry({}) }));
      expect(meters).toHaveLength(1);
    });

    test('a direct resource of a missing entry or of a table without one is refused', async () => {
      const counterOf = (tableEntry: p4.TableEntry): p4.Entity =>
        new p4.Entity({ directCounterEntry: new p4.DirectCounterEntry({ tableEntry }) });
      const missing = counterOf(dmac(9, action(EXT.deny)).tableEntry);
      const code = traits.answer('a direct counter of a missing entry', 'NOT_FOUND');
      expect(await outcome(modify(missing))).toBe(code);
      const inserted = traits.answer('an insert of a direct counter', 'INVALID_ARGUMENT');
      expect(await outcome(insert(missing))).toBe(inserted);
      const config = { meterConfig: rates(1, 1, 1, 1) };
      const superfluous = traits.answer('a meter for a table without', 'INVALID_ARGUMENT');
      expect(await outcome(insert(smac(1, config)))).toBe(superfluous);
      const { tableEntry } = smac(1);
      const noMeter = new p4.DirectMeterEntry({ tableEntry });
      const meterless = traits.answer('a direct meter of a table without', 'INVALID_ARGUMENT');
      expect(await outcome(modify(new p4.Entity({ directMeterEntry: noMeter })))).toBe(meterless);
    });

    test('a modification keeps the counter and resets the meter unless it sets them', async () => {
      const forward = action(EXT.forward, bytes(2));
      const counterData = count(5, 500);
      const own = { counterData, meterConfig: rates(1, 1, 1, 1) };
      await write(insert(dmac(1, forward, own)), modify(dmac(1, forward)));
      const fields = { counterData: new p4.CounterData({}), meterConfig: new p4.MeterConfig({}) };
      const [found] = await read(entry({ tableId: EXT.dmac, ...fields }));
      expect(found?.tableEntry.counterData.toObject()).toEqual(counterData.toObject());
      const kept = traits.answer('whether a modification keeps the meter', false);
      expect(found?.tableEntry.hasMeterConfig).toBe(kept);
    });

    traits.test('a value set is replaced, read and emptied', async () => {
      expect(await outcome(modify(trusted([0x08, 0x00], [0x86, 0xdd])))).toBe('OK');
      const [found] = await read(trusted());
      const values = found?.valueSetEntry.members.map((each) => [
        ...(each.match[0]?.exact.value ?? []),
      ]);
      expect(values).toEqual([
        [8, 0],
        [0x86, 0xdd],
      ]);
      expect(await outcome(modify(trusted()))).toBe('OK');
      expect((await read(trusted()))[0]?.valueSetEntry.members).toEqual([]);
    });

    test.each([
      ['an insert', insert(trusted([1])), 'INVALID_ARGUMENT'],
      ['five members', modify(trusted([1], [2], [3], [4], [5])), 'RESOURCE_EXHAUSTED'],
      ['a member twice', modify(trusted([1], [0, 1])), 'ALREADY_EXISTS'],
      ['a member too wide', modify(trusted([1, 0, 0])), 'OUT_OF_RANGE'],
    ])('a value set with %s is refused', async (what, update, code) => {
      expect(await outcome(update)).toBe(traits.answer(`a value set with ${what}`, code));
    });
  });
}
