import { isHopRecord, wrappedDifference } from '../../../../common/hop/hop';
import type { HopRecord } from '../../../../common/hop/hop';

describe('the difference of wrapping counters', () => {
  test.each([
    [5, 3, 16, 2],
    [3, 5, 16, 14],
    [0, 15, 16, 1],
    [7, 7, 16, 0],
    [100, 2 ** 48 - 100, 2 ** 48, 200],
  ])('%d - %d modulo %d is %d', (later, earlier, modulus, difference) => {
    expect(wrappedDifference(later, earlier, modulus)).toBe(difference);
  });
});

describe('what a carrier says about a link', () => {
  const record: HopRecord = {
    switchId: 0,
    portId: 0,
    timestamp: 0,
    timestampModulus: 1,
    txBytes: 0,
    txBytesModulus: 1,
    queueBytes: 0,
    capacity: 0,
  };

  test('is enough for HPCC++ with all eight fields, zeros included', () => {
    expect(isHopRecord(record)).toBe(true);
  });

  test.each(Object.keys(record))('is not enough without %s', (field) => {
    expect(isHopRecord({ ...record, [field]: undefined })).toBe(false);
  });
});
