import { wholeOf } from '../../../../../switch/codegen/runtime/whole-buffer';

test('arrays of one buffer have one view, and those of another one theirs', () => {
  const one = new Uint8Array([1, 2, 3]).buffer;
  const other = new Uint8Array([4, 5]);
  const { bytes, view } = wholeOf(new Uint8Array(one, 1));
  expect([...bytes]).toEqual([1, 2, 3]);
  expect(wholeOf(new Uint8Array(one, 2)).view).toBe(view);
  expect([...wholeOf(other).bytes]).toEqual([4, 5]);
  expect(wholeOf(other).view.byteLength).toBe(2);
  const again = new Uint8Array(one);
  expect(wholeOf(again).view).toBe(view);
  expect(wholeOf(again).bytes).toBe(bytes);
});
