import { assert } from '../../../../../common/assert';
import {
  accumulatedLength,
  AccumulatedRecords,
} from '../../../../../common/wire/hpcc/accumulated-records';
import { WireFault } from '../../../../../common/wire/fault';
import type { ReceivedTransport } from '../../../../../common/wire/hpcc/hpcc-transport';
import { parseHpccTransport } from '../../../../../common/wire/hpcc/hpcc-transport';
import { fromHex, toHex } from '../../../../support/hex';

const HEADER = 16;

/** An acknowledgement of flow 7 with these flags and this body. */
function acknowledgement(flags: string, body: string): Uint8Array {
  const length = (body.length / 2).toString(16).padStart(4, '0');
  return fromHex(`32${flags}0001${length}00000700000000000bb8${body}`);
}

const parsed = (bytes: Uint8Array) => parseHpccTransport(bytes, 0, bytes.length);

function accepted(bytes: Uint8Array): ReceivedTransport {
  const header = parsed(bytes);
  assert(!(header instanceof WireFault), 'the header is well-formed');
  return header;
}

function held(room: number, records: readonly Uint8Array[]): AccumulatedRecords {
  const all = new AccumulatedRecords(room);
  for (const record of records) all.add(record);
  return all;
}

describe('records of several packets', () => {
  it('have the latest first, then the oldest on, and their number', () => {
    expect(toHex(held(100, ['aa01', 'aa02', 'aa03'].map(fromHex)).emit())).toBe('aa03aa01aa020003');
  });

  it('are those since they were cleared, and since records of another length came', () => {
    const records = held(100, ['aa01', 'aa02'].map(fromHex));
    records.clear();
    expect(records.count).toBe(0);
    for (const hex of ['bb01', 'bb02']) records.add(fromHex(hex));
    expect(toHex(records.emit())).toBe('bb02bb010002');
    for (const hex of ['cc0001', 'cc0002', 'cc0003']) records.add(fromHex(hex));
    expect(toHex(records.emit())).toBe('cc0003cc0001cc00020003');
  });

  it.each([
    [8, 'aa05aa03aa040003'],
    [7, 'aa05aa040002'],
    [5, 'aa05'],
  ])('are the latest where not all have room in %d bytes: %s', (room, kept) => {
    const all = ['aa01', 'aa02', 'aa03', 'aa04', 'aa05'].map(fromHex);
    expect(toHex(held(room, all).emit())).toBe(kept);
  });

  it('tell the length of each', () => {
    expect(accumulatedLength(fromHex('ffaa03aa01aa020003'), 1, 8)).toBe(2);
  });

  it.each([
    ['one record', 'aa030001'],
    ['no record', 'aa030000'],
    ['a number that does not divide them', 'aa03aa01aa020004'],
    ['more records than bytes', 'aa030003'],
    ['nothing but their number', '0002'],
  ])('are refused with %s', (_name, hex) => {
    const bytes = fromHex(hex);
    expect(accumulatedLength(bytes, 0, bytes.length)).toBeUndefined();
  });

  it.each([
    [48, 146, 3],
    [48, 145, 2],
    [48, 0, 1],
    [8, 100, 12],
    [1, 1e6, 65_535],
  ])('of %d bytes in room of %d are at most %d', (length, room, most) => {
    const records = Array.from({ length: most + 2 }, () => new Uint8Array(length));
    expect(held(room, records).count).toBe(most);
  });
});

describe('an acknowledgement with records of several packets', () => {
  it.each([
    ['echoes', '42', 'aa03aa01aa020003'],
    ['load ratios', '60', '000000000000000100000000000000020002'],
    ['echoes and a mark', 'c2', 'aabb0002'],
  ])('may have %s', (_name, flags, body) => {
    const header = accepted(acknowledgement(flags, body));
    expect(header.recordLength).toBeLessThan(header.recordsLength);
    expect(header.recordsLength).toBe(body.length / 2);
  });

  it.each([
    ['records of unequal length', '42', 'aa03aa01aa020004', 16],
    ['a single record', '42', 'aa010001', 16],
    ['load ratios of another length', '60', '00000000000000010002', 1],
    ['neither echoes nor load ratios', '40', 'aa03aa01aa020003', 1],
    ['nothing', '42', '', 16],
  ])('is refused with %s', (_name, flags, body, offset) => {
    expect(parsed(acknowledgement(flags, body))).toMatchObject({ offset });
  });

  it('may have a selective acknowledgement behind them', () => {
    const blocks = `01010000${'00000001'.repeat(2)}${'00'.repeat(16)}`;
    const header = accepted(acknowledgement('46', `aabb0002${blocks}`));
    expect(header).toMatchObject({ recordsLength: 4, recordLength: 1 });
    expect(HEADER + 4 + 28).toBe(HEADER + header.length);
  });

  it('is something else where telemetry answers a probe', () => {
    const response = acknowledgement('42', 'aa01');
    response[0] = 0x34;
    const header = accepted(response);
    expect(header).toMatchObject({ recordsLength: 2, recordLength: 2 });
  });
});
