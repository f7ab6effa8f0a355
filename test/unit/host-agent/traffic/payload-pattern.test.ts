import * as fc from 'fast-check';
import { PayloadPattern } from '../../../../host-agent/traffic/payload-pattern';

const whole = new PayloadPattern(1);

describe('the payload pattern', () => {
  test('is the same bytes for a part, however it is asked for', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 10_000_000 }),
        fc.integer({ min: 1, max: 9000 }),
        fc.nat({ max: 9000 }),
        (sequence, length, skip) => {
          const piece = whole.at(sequence, length);
          const from = Math.min(skip, length);
          expect(piece).toHaveLength(length);
          expect(whole.at(sequence + from, length - from)).toEqual(piece.subarray(from));
        },
      ),
      { numRuns: 50 },
    );
  });

  test('differs between seeds', () => {
    expect(new PayloadPattern(2).at(0, 64)).not.toEqual(whole.at(0, 64));
  });
});
