/** All bytes of a buffer, as an array and as a view. */
interface WholeBuffer {
  readonly buffer: ArrayBufferLike;
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

const KNOWN = new WeakMap<ArrayBufferLike, WholeBuffer>();
let last = newWhole(new ArrayBuffer(0));

/** PERF: packets lie in few buffers, and often in the one that the packet before lay in; a view costs more than a look. */
export function wholeOf(buffer: ArrayBufferLike): WholeBuffer {
  if (last.buffer === buffer) return last;
  last = KNOWN.get(buffer) ?? newWhole(buffer);
  return last;
}

function newWhole(buffer: ArrayBufferLike): WholeBuffer {
  const whole = { buffer, bytes: new Uint8Array(buffer), view: new DataView(buffer) };
  KNOWN.set(buffer, whole);
  return whole;
}
