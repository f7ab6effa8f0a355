import fc from 'fast-check';

import { INT_TRANSIT } from '../unit/switch/support/int-transit';
import { bench, runPacket } from '../unit/switch/support/run';
import type { ExecutorFactory } from '../../switch/executor/executor';

/** Packets are foreign: none may make an executor throw or depend on the packet before. */
export function describeRobustness(create: ExecutorFactory): void {
  /** Headers that lead deep into the parser, with random bytes in between. */
  const likely = fc
    .tuple(
      fc.uint8Array({ minLength: 90, maxLength: 120 }),
      fc.integer({ min: 0, max: 120 }),
      fc.boolean(),
    )
    .map(([bytes, length, isInt]) => {
      if (isInt) {
        bytes.set([0x08, 0x00, 0x45], 12);
        bytes[23] = 17;
        bytes.set([0xc3, 0x50], 36);
      }
      return bytes.subarray(0, length);
    });

  test('no bytes make it throw', () => {
    const made = bench(create, INT_TRANSIT);
    fc.assert(
      fc.property(likely, fc.integer({ min: 0, max: 2000 }), (bytes, tail) => {
        const { bytes: out } = runPacket(made, bytes, bytes.length + tail);
        expect(out.length).toBeGreaterThanOrEqual(bytes.length);
      }),
    );
  });

  test('a reused packet state gives the same as a new one', () => {
    const made = bench(create, INT_TRANSIT);
    const reused = made.executor.createState();
    fc.assert(
      fc.property(likely, (bytes) => {
        const { executor } = made;
        executor.reset(reused, { bytes, length: bytes.length });
        executor.parse(reused);
        const fresh = executor.createState();
        executor.reset(fresh, { bytes, length: bytes.length });
        executor.parse(fresh);
        executor.ingress(reused);
        executor.ingress(fresh);
        expect([...executor.deparse(reused)]).toEqual([...executor.deparse(fresh)]);
        expect(reused.parserError).toBe(fresh.parserError);
        expect(reused.checksumError).toBe(fresh.checksumError);
        for (let slot = 0; slot < 20; slot++) {
          expect(reused.readMetadata(slot)).toBe(fresh.readMetadata(slot));
        }
      }),
    );
  });
}
