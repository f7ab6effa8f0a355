import { wholeOf } from '../../../../../switch/codegen/runtime/whole-buffer';

test('a buffer has one array and one view, whatever was asked for in between', () => {
  const [one, other] = [Uint8Array.of(1, 2, 3).buffer, Uint8Array.of(4, 5).buffer];
  const { bytes, view } = wholeOf(one);
  expect([[...bytes], view.getUint16(1)]).toEqual([[1, 2, 3], 0x0203]);
  expect(wholeOf(one).view).toBe(view);
  expect([...wholeOf(other).bytes]).toEqual([4, 5]);
  expect(wholeOf(one).view).toBe(view);
  expect(wholeOf(one).bytes).toBe(bytes);
});
