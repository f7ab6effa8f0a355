import { KeyWords } from '../../../../../switch/tables/keys/key-words';

describe('the words of a key', () => {
  const words = new KeyWords([9, 48, 33, 128]);
  const values = [5n, 0x1_0000_0002n, 0x1_8000_0000n, (7n << 96n) | 9n];

  test('are those of each field, the lowest first', () => {
    expect([...words.cut(values)]).toEqual([5, 2, 1, -(2 ** 31), 1, 9, 0, 0, 7]);
    expect([...words.cut([])]).toEqual(new Array<number>(9).fill(0));
  });

  test('are the same for numbers, where fields are narrow enough for them', () => {
    const narrow = new KeyWords([9, 48, 33, 32]);
    const wanted = [...narrow.cut([5n, 0x1_0000_0002n, 0x1_8000_0000n, 0xffff_ffffn])];
    expect(wanted).toEqual([5, 2, 1, -(2 ** 31), 1, -1]);
    const numbers = Float64Array.of(5, 0x1_0000_0002, 0x1_8000_0000, 0xffff_ffff);
    expect([...narrow.cutNumbers(numbers)]).toEqual(wanted);
  });

  test('have masks only where masks of the fields have bits', () => {
    expect(words.masks([0n, 0xffn << 32n, 3n, 0n])).toEqual([
      { slot: 2, mask: 0xff },
      { slot: 3, mask: 3 },
    ]);
  });
});
