import { addLateness, Lateness } from '../../../../../common/io/net/lateness';

describe('lateness', () => {
  test('counts turns, and waits from each power of two milliseconds on', () => {
    const lateness = new Lateness();
    for (const ms of [-0.3, 0, 0.9, 1, 3.9, 4, 5000]) lateness.note(ms);
    expect(lateness.counts()).toEqual({
      turns: 7,
      waited: { 1: 4, 2: 3, 4: 2, 8: 1, 16: 1, 32: 1, 64: 1, 128: 1, 256: 1, 512: 1 },
    });
  });

  test('of several ports is their sum', () => {
    const none = new Lateness().counts();
    const some = { turns: 3, waited: { 1: 2 } };
    expect(addLateness([none, some, { turns: 1, waited: { 1: 1, 2: 1 } }])).toEqual({
      turns: 4,
      waited: { 1: 3, 2: 1 },
    });
    expect(addLateness([])).toEqual({ turns: 0, waited: {} });
  });
});
