import * as fc from 'fast-check';
import { REORDER_SEGMENTS_MAX } from '../../../../../host-agent/transport/recovery/loss-recovery';
import { Scoreboard } from '../../../../../host-agent/transport/recovery/scoreboard';
import { SelectiveReceiver } from '../../../../../host-agent/transport/receiving/selective-receiver';

const WINDOW = 5000;
/** Payload of a property's longest segment. */
const LENGTH_MAX = 1500;

/** [sequence, length, isLast] in; next expected, new bytes, bytes released and blocks out. */
type Exchange = readonly [readonly [number, number, boolean?], string];

const CASES: readonly (readonly [string, readonly Exchange[]])[] = [
  [
    'delivers what comes in order at once',
    [
      [[0, 1000], 'ack 1000 +1000'],
      [[1000, 7, true], 'ack 1007 +7'],
    ],
  ],
  [
    'keeps what comes early, tells it, and delivers it behind what was missing',
    [
      [[1000, 1000], 'ack 0 +0 [1000-2000]'],
      [[3000, 1000], 'ack 0 +0 [3000-4000] [1000-2000]'],
      [[2000, 1000], 'ack 0 +0 [1000-4000]'],
      [[0, 1000], 'ack 4000 +1000 +1000 +1000 +1000'],
    ],
  ],
  [
    'tells first the block that a segment belongs to, also one that comes again',
    [
      [[1000, 1000], 'ack 0 +0 [1000-2000]'],
      [[3000, 1000], 'ack 0 +0 [3000-4000] [1000-2000]'],
      [[1000, 1000], 'ack 0 +0 [1000-2000] [3000-4000]'],
    ],
  ],
  [
    'drops what begins beyond the window',
    [
      [[4999, 1000], 'ack 0 +0 [4999-5999]'],
      [[5000, 1000], 'ack 0 +0 [4999-5999]'],
      [[6000, 1000], 'ack 0 +0 [4999-5999]'],
    ],
  ],
  [
    'delivers only the new part of what overlaps',
    [
      [[0, 300], 'ack 300 +300'],
      [[500, 1000], 'ack 300 +0 [500-1500]'],
      [[0, 1000], 'ack 1500 +700 +500'],
    ],
  ],
  [
    'goes on telling what lies beyond the next gap',
    [
      [[1000, 1000], 'ack 0 +0 [1000-2000]'],
      [[3000, 1000], 'ack 0 +0 [3000-4000] [1000-2000]'],
      [[0, 1000], 'ack 2000 +1000 +1000 [3000-4000]'],
    ],
  ],
  [
    'tells a block first that was told last, when its segment comes again',
    [
      [[3000, 1000], 'ack 0 +0 [3000-4000]'],
      [[1000, 1000], 'ack 0 +0 [1000-2000] [3000-4000]'],
      [[3000, 1000], 'ack 0 +0 [3000-4000] [1000-2000]'],
    ],
  ],
  [
    'keeps the first of two segments that overlap, whichever end they share',
    [
      [[2000, 1000], 'ack 0 +0 [2000-3000]'],
      [[2500, 1000], 'ack 0 +0 [2000-3000]'],
      [[1500, 1000], 'ack 0 +0 [2000-3000]'],
      [[1000, 1000], 'ack 0 +0 [1000-3000]'],
      [[3000, 1000], 'ack 0 +0 [1000-4000]'],
    ],
  ],
  [
    'delivers nothing of what it kept where a longer segment has brought it already',
    [
      [[1000, 1000], 'ack 0 +0 [1000-2000]'],
      [[0, 2000], 'ack 2000 +2000'],
      [[3000, 500], 'ack 2000 +0 [3000-3500]'],
      [[2000, 2000], 'ack 4000 +2000'],
    ],
  ],
  [
    'is done with the last byte, wherever that came from',
    [
      [[1000, 500, true], 'ack 0 +0 [1000-1500]'],
      [[0, 1000], 'ack 1500 +1000 +500 done'],
      [[1500, 1000], 'ack 1500 +0 done'],
      [[0, 1000], 'ack 1500 +0 done'],
    ],
  ],
];

const NO_BYTES = new Uint8Array(0);

describe('a receiver that keeps what comes early', () => {
  it.each(CASES)('%s', (_name, exchanges) => {
    const receiver = new SelectiveReceiver(WINDOW);
    for (const [[sequence, length, isLast = false], expected] of exchanges) {
      const got = receiver.handleData(sequence, length, isLast, NO_BYTES);
      expect(got.isNack).toBe(false);
      const released = (got.released ?? []).map(({ length: bytes }) => ` +${bytes}`).join('');
      const blocks = receiver.blocks.map(({ from, to }) => ` [${from}-${to}]`).join('');
      const done = expected.endsWith('done') ? ' done' : '';
      expect(`ack ${got.ackSequence} +${got.newBytes}${released}${blocks}${done}`).toBe(expected);
      if (done !== '') expect(receiver.isFinished).toBe(true);
    }
  });

  it('has let go of what it has delivered', () => {
    const receiver = new SelectiveReceiver(WINDOW);
    for (const at of [1000, 3000]) receiver.handleData(at, 1000, false, NO_BYTES);
    expect(receiver.keptBytes).toBe(2000);
    receiver.handleData(0, 1000, false, NO_BYTES);
    expect(receiver.keptBytes).toBe(1000);
    receiver.handleData(2000, 1000, true, NO_BYTES);
    expect(receiver.keptBytes).toBe(0);
  });

  it('is not finished by a duplicate that claims to be the last', () => {
    const receiver = new SelectiveReceiver(WINDOW);
    receiver.handleData(0, 1000, false, NO_BYTES);
    receiver.handleData(0, 1000, true, NO_BYTES);
    expect(receiver.isFinished).toBe(false);
  });

  it('takes no segment without payload', () => {
    const handle = () => new SelectiveReceiver(WINDOW).handleData(0, 0, false, NO_BYTES);
    expect(handle).toThrow('the parser refuses data without payload');
  });

  it('keeps bytes of its own, not those of the packet', () => {
    const receiver = new SelectiveReceiver(WINDOW);
    const packet = Uint8Array.of(1, 2, 3);
    receiver.handleData(2, 3, false, packet);
    packet.fill(0);
    const { released = [] } = receiver.handleData(0, 3, false, Uint8Array.of(9, 9, 1));
    expect(released.map(({ sequence, stored }) => [sequence, ...stored])).toEqual([[3, 2, 3]]);
  });

  it('keeps no more segments or gaps than it may, however small they are', () => {
    const receiver = new SelectiveReceiver(2 ** 26);
    for (let i = 1; i < 600; i++) receiver.handleData(2 * i, 1, false, NO_BYTES);
    expect(receiver.blocks).toHaveLength(256);
    // Blocks that are not reported are not kept either.
    expect(receiver.keptBytes).toBe(256);
    const dense = new SelectiveReceiver(2 ** 26);
    for (let i = 1; i < REORDER_SEGMENTS_MAX + 100; i++) dense.handleData(i, 1, false, NO_BYTES);
    expect(dense.keptBytes).toBe(REORDER_SEGMENTS_MAX);
  });

  it('keeps all that a sender may send behind a segment that is missing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 * WINDOW }), (length) => {
        const sender = new Scoreboard(1, WINDOW);
        const receiver = new SelectiveReceiver(WINDOW);
        let sent = 0;
        for (; sender.hasRoom; sent += length) {
          sender.send(0, sent, length);
          if (sent > 0) receiver.handleData(sent, length, false, NO_BYTES);
        }
        expect(receiver.keptBytes).toBe(sent - length);
      }),
      { numRuns: 60 },
    );
  });

  it('delivers each byte once and in order, keeping no more than the window', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: LENGTH_MAX }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(lengths, fc.array(fc.nat(), { maxLength: 60 }), (sizes, order) => {
        const segments: { sequence: number; length: number }[] = [];
        sizes.reduce((sequence, length) => {
          segments.push({ sequence, length });
          return sequence + length;
        }, 0);
        const total = sizes.reduce((sum, length) => sum + length, 0);
        const receiver = new SelectiveReceiver(WINDOW);
        const bytes: number[] = [];
        const take = ({ sequence, length }: (typeof segments)[number]): void => {
          const stored = Uint8Array.from({ length }, (_, i) => (sequence + i) % 251);
          const end = sequence + length;
          const { newBytes, released } = receiver.handleData(
            sequence,
            length,
            end === total,
            stored,
          );
          bytes.push(...stored.subarray(length - newBytes));
          for (const kept of released ?? []) bytes.push(...kept.stored);
          expect(bytes).toHaveLength(receiver.expectedSequence);
          expect(receiver.keptBytes).toBeLessThanOrEqual(WINDOW + LENGTH_MAX);
        };
        for (const which of order)
          take(segments[which % segments.length] as (typeof segments)[number]);
        for (const segment of segments) take(segment);
        expect(bytes).toHaveLength(total);
        expect(bytes.every((byte, i) => byte === i % 251)).toBe(true);
        expect(receiver.isFinished && receiver.blocks.length === 0).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
