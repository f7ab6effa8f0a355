import { WireFault } from '../../../../../common/wire/fault';
import {
  HP_DOMAIN,
  INT_FIXED_LENGTH,
  emitHops,
  emitIntMdSource,
  intMdLength,
  parseIntMd,
  readHops,
  readNewestHop,
} from '../../../../../common/wire/int/int-md';
import type { HopRecord } from '../../../../../common/hop/hop';
import type { IntMd } from '../../../../../common/wire/int/int-md';
import { faultText } from '../../../../support/fault-text';
import { fromHex, toHex } from '../../../../support/hex';

/** The two hops of worked example INT-A, under a shim for the DSCP method (NPT 0). */
const TWO_HOPS = fromHex(`
  10130000 20000803 d4004850 c0000000
  00000002 00210022 03000000 17979cfe 362a05dc 00000000 ffffff80 00061a80
  00000001 00030011 030004b0 17979cfe 362a0000 00000012 34567880 000186a0`);

const patched = (at: number, byte: number): Uint8Array => {
  const bytes = TWO_HOPS.slice();
  bytes[at] = byte;
  return bytes;
};

describe('INT-MD of the HP domain', () => {
  test('is read with its counts', () => {
    expect(parseIntMd(TWO_HOPS, 0)).toEqual({
      discard: false,
      hopLimitExceeded: false,
      mtuExceeded: false,
      remainingHops: 3,
      instructionBitmap: 0xd400,
      domainId: 0x4850,
      dsInstruction: 0xc000,
      dsFlags: 0,
      hopWords: 8,
      length: 80,
      hopCount: 2,
      version: 2,
    });
  });

  test('has a counter of 32 bits where the upper word is not available', () => {
    const narrow = TWO_HOPS.slice();
    narrow.fill(0xff, 16 + 20, 16 + 24);
    const [older, newest] = readHops(parseIntMd(narrow, 0) as IntMd, narrow, 0);
    expect(newest).toMatchObject({ txBytes: 0xffffff80, txBytesModulus: 2 ** 32 });
    expect(older).toMatchObject({ txBytes: 0x1234567880, txBytesModulus: 2 ** 48 });
    const again = TWO_HOPS.slice();
    emitHops([older, newest] as HopRecord[], again, 0);
    expect(readHops(parseIntMd(again, 0) as IntMd, again, 0)).toEqual([older, newest]);
  });

  test('has its newest record first on the wire, of either domain, where there is a whole one', () => {
    const newest = readHops(parseIntMd(TWO_HOPS, 0) as IntMd, TWO_HOPS, 0).at(-1);
    expect(readNewestHop(TWO_HOPS, 0)).toEqual(newest);
    expect(readNewestHop(TWO_HOPS.subarray(0, INT_FIXED_LENGTH + 31), 0)).toBeUndefined();
    const empty = new Uint8Array(INT_FIXED_LENGTH + 60);
    emitIntMdSource({ remainingHops: 8, originalDscp: 0 }, empty, 0);
    expect(readNewestHop(empty, 0)).toBeUndefined();
  });

  test('has the time in the queue in wide blocks', () => {
    const wide = fromHex(`
      100d0000 20000a07 f4004850 e0000000
      00000001 00030011 000004d2 030004b0 17979cfe 362a0000 00000012 34567880 000186a0 00000800`);
    const int = parseIntMd(wide, 0) as IntMd;
    expect(int).toMatchObject({ hopWords: 10, hopCount: 1 });
    expect(readNewestHop(wide, 0)).toEqual(readHops(int, wide, 0)[0]);
    expect(readHops(int, wide, 0)).toEqual([
      {
        switchId: 1,
        ingressPortId: 3,
        portId: 0x11,
        sojournNs: 1234,
        queueId: 3,
        queueBytes: 1200,
        timestamp: 0x9cfe362a0000,
        timestampModulus: 2 ** 48,
        txBytes: 0x1234567880,
        txBytesModulus: 2 ** 48,
        capacity: 100e9,
      },
    ]);
    expect(faultText(parseIntMd(wide.subarray(0, 52), 0))).toContain('int-md');
  });

  test('gives hop records in path order, the oldest first', () => {
    const hops = readHops(parseIntMd(TWO_HOPS, 0) as IntMd, TWO_HOPS, 0);
    expect(hops).toEqual([
      {
        switchId: 1,
        ingressPortId: 3,
        portId: 0x11,
        queueId: 3,
        queueBytes: 1200,
        // 0x17979cfe362a0000 mod 2^48
        timestamp: 0x9cfe362a0000,
        timestampModulus: 2 ** 48,
        txBytes: 0x1234567880,
        txBytesModulus: 2 ** 48,
        capacity: 100e9,
      },
      {
        switchId: 2,
        ingressPortId: 0x21,
        portId: 0x22,
        queueId: 3,
        queueBytes: 0,
        timestamp: 0x9cfe362a05dc,
        timestampModulus: 2 ** 48,
        txBytes: 0xffffff80,
        txBytesModulus: 2 ** 48,
        capacity: 400e9,
      },
    ]);
  });

  test('is written by a source with an empty stack, over junk', () => {
    const bytes = new Uint8Array(INT_FIXED_LENGTH).fill(0xa5);
    emitIntMdSource({ remainingHops: 5, originalDscp: 0x0a }, bytes, 0);
    expect(toHex(bytes)).toBe('1003002820000805d4004850c0000000');
    expect(parseIntMd(bytes, 0)).toMatchObject({ hopCount: 0, remainingHops: 5, length: 16 });
  });

  test.each([
    ['E', 0x24, { hopLimitExceeded: true }],
    ['M', 0x22, { mtuExceeded: true }],
    ['D', 0x28, { discard: true }],
  ])('shows flag %s', (_flag, byte, wanted) => {
    expect(parseIntMd(patched(4, byte), 0)).toMatchObject(wanted);
  });

  test.each(Array.from({ length: TWO_HOPS.length }, (_, n) => n))(
    'cut to %d bytes is a fault',
    (length) => {
      expect(parseIntMd(TWO_HOPS.subarray(0, length), 0)).toBeInstanceOf(WireFault);
    },
  );

  test.each([
    ['another type', patched(0, 0x30), 'type must be 1, found 3'],
    ['an NPT that DSCP excludes', patched(0, 0x14), 'npt must be 0, found 1'],
    ['a length below the header', patched(1, 2), 'length must be at least 3 words'],
    ['another version', patched(4, 0x10), 'version must be 2, found 1'],
    ['other instructions', patched(8, 0x90), 'found 9000/4850/c000/8'],
    ['another domain', patched(11, 0x51), 'found d400/4851/c000/8'],
    ['another hop length', patched(6, 7), 'found d400/4850/c000/7'],
    ['a stack of no whole blocks', patched(1, 18), 'a stack of 60 bytes is no multiple of 32'],
  ])('with %s is a fault that says so', (_what, bytes, message) => {
    expect(faultText(parseIntMd(bytes, 0))).toContain(message);
  });

  test('can be skipped by its shim even when its instructions are unknown', () => {
    expect(intMdLength(patched(8, 0x90), 0)).toBe(80);
  });

  test('has a hop length that agrees with its instructions', () => {
    // Bits 0, 1 and 3 are one word each, bit 5 two; DS bit 0 two, DS bit 1 one.
    expect(HP_DOMAIN.hopLength).toBe((1 + 1 + 1 + 2 + 2 + 1) * 4);
  });
});
