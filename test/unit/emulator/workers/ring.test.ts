import * as fc from 'fast-check';
import { Ring, ringMemory } from '../../../../emulator/workers/ring';
import type { Crossing } from '../../../../emulator/workers/ring';

const CAPACITY = 1024;
const newRing = (): { writer: Ring; reader: Ring } => {
  const memory = new SharedArrayBuffer(ringMemory(CAPACITY));
  return { writer: new Ring(memory), reader: new Ring(memory) };
};

/** As the reader sees it, in memory of its own. */
const kept = ({ channel, at, packet }: Crossing): Crossing => ({
  channel,
  at,
  packet: { ...packet, bytes: packet.bytes.slice(), tail: packet.tail?.slice() },
});

const crossings = fc.record({
  channel: fc.nat(10_000),
  at: fc.nat({ max: 2 ** 50 }),
  packet: fc.record({
    bytes: fc.uint8Array({ maxLength: 200 }),
    length: fc.nat(9000),
    tail: fc.option(fc.uint8Array({ maxLength: 8 }), { nil: undefined }),
    id: fc.option(fc.nat({ max: 2 ** 50 }), { nil: undefined }),
  }),
});

describe('a ring between two workers', () => {
  it('hands over what was written, in order, however often it goes round', () => {
    const batches = fc.array(fc.array(crossings, { maxLength: 6 }), { maxLength: 40 });
    fc.assert(
      fc.property(batches, (all) => {
        const { writer, reader } = newRing();
        for (const batch of all) {
          const written = batch.filter((crossing) => writer.write(crossing));
          const read: Crossing[] = [];
          reader.drain((crossing) => read.push(kept(crossing)));
          expect(read).toEqual(written);
        }
      }),
    );
  });

  it('says when it has no room, and has it again when it was emptied', () => {
    const { writer, reader } = newRing();
    const packet = { bytes: new Uint8Array(200), length: 1000, id: 1 };
    const write = (): boolean => writer.write({ channel: 1, at: 5, packet });
    let written = 0;
    while (write()) written++;
    expect(written).toBe(Math.floor(CAPACITY / (32 + 200)));
    let read = 0;
    reader.drain(() => read++);
    expect(read).toBe(written);
    expect(write()).toBe(true);
  });
});
