import * as fc from 'fast-check';
import type { LoadRatio, WindowRecord } from '../../../../../common/wire/hpcc/feedback-records';
import {
  emitLoadRatio,
  emitWindowRecord,
  LOAD_RATIO_LENGTH,
  readLoadRatio,
  readSwitchResponse,
  readWindowRecord,
  SEQUENCE_KIND_HPCC,
  WINDOW_RECORD_LENGTH,
} from '../../../../../common/wire/hpcc/feedback-records';
import { fromHex, toHex } from '../../../../support/hex';

function ratioBytes(load: LoadRatio): Uint8Array {
  const bytes = new Uint8Array(LOAD_RATIO_LENGTH);
  emitLoadRatio(load, bytes, 0);
  return bytes;
}

function windowBytes(record: WindowRecord): Uint8Array {
  const bytes = new Uint8Array(WINDOW_RECORD_LENGTH);
  emitWindowRecord(record, bytes, 0);
  return bytes;
}

describe('a load ratio', () => {
  it.each([
    [{ ratio: 1, intervalNs: 4160 }, '0001000000001040'],
    [{ ratio: 0.5, intervalNs: 0 }, '0000800000000000'],
    [{ ratio: 1e9, intervalNs: 1e12 }, 'ffffffffffffffff'],
  ])('of %j has the documented bytes', (load, hex) => {
    expect(toHex(ratioBytes(load))).toBe(hex);
  });

  it('is read back to 1/65536', () => {
    const load = fc.record({
      ratio: fc.double({ min: 0, max: 60_000, noNaN: true }),
      intervalNs: fc.integer({ min: 0, max: 0xffff_ffff }),
    });
    fc.assert(
      fc.property(load, (given) => {
        const read = readLoadRatio(ratioBytes(given), 0);
        expect(read.intervalNs).toBe(given.intervalNs);
        expect(given.ratio - read.ratio).toBeGreaterThanOrEqual(0);
        expect(given.ratio - read.ratio).toBeLessThan(1 / 65_536);
      }),
    );
  });
});

describe('a window record', () => {
  it.each([
    [{ epoch: 1, flows: 0, windowBytes: 52_000 }, '00000001 0000 0000 00000000cb200000'],
    [{ epoch: 0xffff_ffff, flows: 4, windowBytes: 0.5 }, 'ffffffff 0004 0000 0000000000008000'],
    [{ epoch: 0, flows: 70_000, windowBytes: 2 ** 36 }, '00000000 ffff 0000 0010000000000000'],
  ])('of %j has the documented bytes', (record, hex) => {
    expect(toHex(windowBytes(record))).toBe(hex.replace(/ /g, ''));
  });

  it('is read back to 1/65536 of a byte', () => {
    const record = fc.record({
      epoch: fc.integer({ min: 0, max: 0xffff_ffff }),
      flows: fc.integer({ min: 0, max: 0xffff }),
      windowBytes: fc.integer({ min: 0, max: 2 ** 52 }).map((units) => units / 65_536),
    });
    fc.assert(
      fc.property(record, (given) => {
        expect(readWindowRecord(windowBytes(given), 0)).toEqual(given);
      }),
    );
  });
});

describe('a switch response', () => {
  it('has the link of the switch behind its own words', () => {
    const head = '02 01 11 3f c001 c352';
    const block = `0000000a 00010003 00000040 000000000000 1040 000000000000 0452 000186a0`;
    const bytes = fromHex(`${head} ${block}`);
    expect(readSwitchResponse(bytes, 0)).toEqual({
      hopIndex: 2,
      sequenceKind: SEQUENCE_KIND_HPCC,
      hop: {
        switchId: 10,
        ingressPortId: 1,
        portId: 3,
        queueId: 0,
        queueBytes: 64,
        timestamp: 4160,
        timestampModulus: 2 ** 48,
        txBytes: 1106,
        txBytesModulus: 2 ** 48,
        capacity: 100e9,
      },
    });
  });
});
