import * as fc from 'fast-check';
import { PacketsOnTheWay } from '../../../../emulator/network/packets-on-the-way';

/** A packet to be sent, or undefined: the first one arrives. */
const steps = fc.array(fc.option(fc.nat(30), { nil: undefined }), { maxLength: 120 });

test('packets on a channel arrive in order of time, equal ones in the order of sending', () => {
  fc.assert(
    fc.property(steps, (list) => {
      const ring = new PacketsOnTheWay();
      const expected: { at: number; id: number }[] = [];
      list.forEach((at, id) => {
        if (at === undefined) {
          expect(ring.isEmpty).toBe(expected.length === 0);
          const next = expected.shift();
          if (next === undefined) return;
          expect(ring.firstArrival).toBe(next.at);
          expect(ring.take().id).toBe(next.id);
        } else {
          const behind = expected.findIndex((each) => each.at > at);
          expected.splice(behind < 0 ? expected.length : behind, 0, { at, id });
          const isFirst = ring.add(
            { bytes: new Uint8Array(1), length: id, id },
            Float64Array.of(at),
          );
          expect(isFirst).toBe(expected[0]?.id === id);
        }
        expect(ring.bytes).toBe(expected.reduce((sum, each) => sum + each.id, 0));
      });
    }),
  );
});
