import { CounterArray } from '../../../../switch/runtime/counter-array';
import { RegisterArray } from '../../../../switch/runtime/register-array';

describe('a register array', () => {
  const array = (): RegisterArray => new RegisterArray('r', 4, 12);

  test('starts with zeros', () => {
    const r = array();
    expect([0, 1, 2, 3].map((i) => r.read(i))).toEqual([0n, 0n, 0n, 0n]);
  });

  test.each([
    [0xfff, 0xfffn],
    [0x1000, 0n],
    [-1n, 0xfffn],
    [(1n << 70n) + 5n, 5n],
  ])('keeps the low bits of %s', (value, kept) => {
    const r = array();
    r.write(1, value);
    expect(r.read(1)).toBe(kept);
    expect(r.read(1n)).toBe(kept);
    expect(r.read(0)).toBe(0n);
  });

  test.each([-1, 4, -1n, 4n, 1n << 80n])('has no cell %s', (index) => {
    const r = array();
    r.write(index, 7);
    expect(r.read(index)).toBeUndefined();
    expect([0, 1, 2, 3].map((i) => r.read(i))).toEqual([0n, 0n, 0n, 0n]);
  });
});

describe('a counter array', () => {
  test('counts packets and bytes per cell', () => {
    const c = new CounterArray('c', 2);
    c.count(0, 60);
    c.count(0n, 40);
    c.count(1, 1);
    expect(c.read(0)).toEqual({ packets: 2, bytes: 100 });
    expect(c.read(1)).toEqual({ packets: 1, bytes: 1 });
  });

  test('can be set', () => {
    const c = new CounterArray('c', 2);
    c.write(1, { packets: 5, bytes: 500 });
    c.count(1, 10);
    expect(c.read(1)).toEqual({ packets: 6, bytes: 510 });
  });

  test.each([-1, 2, 1n << 70n])('ignores the cell %s', (index) => {
    const c = new CounterArray('c', 2);
    c.count(index, 10);
    c.write(Number(index), { packets: 1, bytes: 1 });
    expect(c.read(Number(index))).toBeUndefined();
    expect(c.read(0)).toEqual({ packets: 0, bytes: 0 });
  });
});
