import {
  doneLine,
  errorLine,
  eventLine,
  networkLine,
  readAnswer,
} from '../../../../../emulator/workload/peer/peer-text';

const answerOf = (...lines: string[]) => readAnswer(() => lines.shift());

describe('the lines between a network and the program that decides what is sent', () => {
  it('says what the network has, what has happened, and how it ends', () => {
    const network = { ranks: 8, dimensions: [4, 2], rates: [400, 100] };
    expect(networkLine(network)).toBe('network 1 8 4,2 400,100');
    expect(eventLine({ now: 0, arrived: [] })).toBe('at 0');
    expect(eventLine({ now: 1_500, arrived: [7, 3] })).toBe('at 1500 7 3');
    expect(doneLine(12)).toBe('done 12');
    expect(errorLine('two\nlines')).toBe('error two lines');
  });

  it('reads answers', () => {
    expect(answerOf('send 5 0 1 1000', 'send 6 1 0 0', 'go')).toEqual({
      messages: [
        { id: 5, from: 0, to: 1, bytes: 1000 },
        { id: 6, from: 1, to: 0, bytes: 0 },
      ],
      wakeAt: undefined,
      isEnd: false,
    });
    expect(answerOf('go 9000000000000000')).toMatchObject({ wakeAt: 9_000_000_000_000_000 });
    expect(answerOf('end')).toEqual({ messages: [], wakeAt: undefined, isEnd: true });
  });

  it.each([
    ['an empty line', ''],
    ['another verb', 'sent 1 0 1 10'],
    ['too few words', 'send 1 0 1'],
    ['too many', 'send 1 0 1 10 4'],
    ['words behind the end', 'end 5'],
    ['two instants', 'go 1 2'],
    ['a negative number', 'send 1 0 -1 10'],
    ['a fraction', 'go 1.5'],
    ['a number without end', 'go 99999999999999999999'],
    ['two blanks', 'send 1  0 1 10'],
  ])('refuses %s', (_, line) => {
    expect(() => answerOf(line)).toThrow(/^the peer said '.*', where .* was expected$/);
  });

  it('tells an end from what the peer says why it ends', () => {
    expect(() => answerOf('send 1 0 1 10')).toThrow('the peer ended in the middle of a run');
    expect(() => answerOf('error rank 3 has no work')).toThrow(
      'the peer ended: rank 3 has no work',
    );
  });
});
