import { gapsOf } from '../../../bench/live/packet-gaps';

test('a switch answers for what it adds to the gaps of its sender', () => {
  const sent = [0, 1, 2, 9, 10, 11];
  const arrived = [0.1, 1.1, 2.2, 9.2, 13.5, 13.6];
  expect(gapsOf(sent, arrived)).toEqual({
    longestGapMs: 7,
    longestGapSentMs: 7,
    longestOwnGapMs: 3.3,
  });
});

test('a switch answers for the whole gap where packets are missing', () => {
  expect(gapsOf([0, 1, 2, 9, 10], [0, 1, 9, 10])).toEqual({
    longestGapMs: 8,
    longestGapSentMs: 7,
    longestOwnGapMs: 8,
  });
});

test('without packets there are no gaps', () => {
  expect(gapsOf([], [])).toEqual({ longestGapMs: 0, longestGapSentMs: 0, longestOwnGapMs: 0 });
});
