import { FlowReceiver } from '../../../../../host-agent/transport/receiving/receiver';

/** [sequence, length, isLast] in; "ack" or "nack", next expected, new bytes out. */
type Exchange = readonly [readonly [number, number, boolean?], string];

const CASES: readonly (readonly [string, readonly Exchange[]])[] = [
  [
    'acknowledges every segment with the next byte expected',
    [
      [[0, 1000], 'ack 1000 +1000'],
      [[1000, 1000], 'ack 2000 +1000'],
      [[2000, 7, true], 'ack 2007 +7'],
    ],
  ],
  [
    'asks once to go back per gap, and acknowledges what follows',
    [
      [[0, 1000], 'ack 1000 +1000'],
      [[2000, 1000], 'nack 1000 +0'],
      [[3000, 1000], 'ack 1000 +0'],
      [[4000, 1000], 'ack 1000 +0'],
      [[1000, 1000], 'ack 2000 +1000'],
      [[2000, 1000], 'ack 3000 +1000'],
      [[4000, 1000], 'nack 3000 +0'],
    ],
  ],
  [
    'asks again when the sender went back and the segment was lost again',
    [
      [[1000, 1000], 'nack 0 +0'],
      [[2000, 1000], 'ack 0 +0'],
      [[1000, 1000], 'nack 0 +0'],
      [[2000, 1000], 'ack 0 +0'],
    ],
  ],
  [
    'asks again for the segment that was lost again when its follower alone is repeated',
    [
      [[1000, 1000], 'nack 0 +0'],
      [[1000, 1000], 'nack 0 +0'],
    ],
  ],
  [
    'does not ask again in the same gap because of a duplicate in between',
    [
      [[0, 1000], 'ack 1000 +1000'],
      [[2000, 1000], 'nack 1000 +0'],
      [[0, 1000], 'ack 1000 +0'],
      [[3000, 1000], 'ack 1000 +0'],
    ],
  ],
  [
    'acknowledges duplicates again without delivering them',
    [
      [[0, 1000], 'ack 1000 +1000'],
      [[0, 1000], 'ack 1000 +0'],
      [[1000, 1000], 'ack 2000 +1000'],
      [[0, 1000], 'ack 2000 +0'],
    ],
  ],
  [
    'delivers only the new end of a segment that overlaps',
    [
      [[0, 300], 'ack 300 +300'],
      [[0, 1000], 'ack 1000 +700'],
    ],
  ],
  [
    'delivers nothing after the last byte',
    [
      [[0, 1000, true], 'ack 1000 +1000'],
      [[0, 1000, true], 'ack 1000 +0'],
      [[1000, 1000], 'ack 1000 +0'],
    ],
  ],
];

describe('the receiving side of a flow', () => {
  it.each(CASES)('%s', (_name, exchanges) => {
    const receiver = new FlowReceiver();
    for (const [[sequence, length, isLast], expected] of exchanges) {
      const got = receiver.handleData(sequence, length, isLast ?? false);
      const word = got.isNack ? 'nack' : 'ack';
      expect(`${word} ${got.ackSequence} +${got.newBytes}`).toBe(expected);
    }
  });

  it('is finished once the last byte came in order, not when it came early', () => {
    const receiver = new FlowReceiver();
    receiver.handleData(1000, 1000, true);
    expect(receiver.isFinished).toBe(false);
    receiver.handleData(0, 1000, false);
    receiver.handleData(1000, 1000, true);
    expect(receiver.isFinished).toBe(true);
    expect(receiver.expectedSequence).toBe(2000);
  });

  it('is not finished by a duplicate that claims to be the last', () => {
    const receiver = new FlowReceiver();
    receiver.handleData(0, 1000, false);
    receiver.handleData(0, 1000, true);
    expect(receiver.isFinished).toBe(false);
  });

  it('takes no segment without payload', () => {
    const handle = () => new FlowReceiver().handleData(0, 0, false);
    expect(handle).toThrow('the parser refuses data without payload');
  });
});
