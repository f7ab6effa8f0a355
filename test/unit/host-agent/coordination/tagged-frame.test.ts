import * as fc from 'fast-check';
import type { CcmIndicators } from '../../../../common/wire/coordination/ccm-tag';
import { tagOf, withoutTag, withTag } from '../../../../common/wire/coordination/tagged-frame';
import { dataFrame } from '../../../support/frames';
import { toHex } from '../../../support/hex';

const TAG: CcmIndicators = { congestionControl: true, reroutingPoint: 0x1ffe };

describe('the stand-alone tag of a frame', () => {
  test('lies behind the MAC addresses, before the EtherType of what follows', () => {
    const frame = dataFrame();
    const tagged = withTag(frame, TAG);
    expect(toHex(tagged.bytes.subarray(0, 24))).toBe(
      `${toHex(frame.bytes.subarray(0, 12))}88b51c0000001ffe0800${toHex(frame.bytes.subarray(14, 16))}`,
    );
    expect(tagged.length).toBe(frame.length + 8);
  });

  test('is taken out without a trace, and read before', () => {
    const tags = fc.record({
      congestionControl: fc.boolean(),
      reroutingPoint: fc.option(fc.nat(0xffff_ffff), { nil: undefined }),
    });
    const frames = fc.uint8Array({ minLength: 14, maxLength: 80 }).map((bytes) => {
      bytes[12] = 8;
      return { bytes, length: bytes.length + 1000, tail: new Uint8Array(4), id: 7 };
    });
    fc.assert(
      fc.property(frames, tags, (frame, tag) => {
        const tagged = withTag(frame, tag);
        expect(tagOf(tagged)).toEqual(tag);
        expect(withoutTag(tagged)).toEqual(frame);
        expect([tagOf(frame), withoutTag(frame) === frame]).toEqual([undefined, true]);
      }),
    );
  });

  test('of another version says nothing, and frames that are too short have none', () => {
    const tagged = withTag(dataFrame(), TAG);
    tagged.bytes[14] = 0x2c;
    expect(tagOf(tagged)).toBeUndefined();
    const short = { bytes: tagged.bytes.subarray(0, 19), length: 19 };
    expect([tagOf(short), withoutTag(short)]).toEqual([undefined, short]);
  });
});
