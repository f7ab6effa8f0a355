/** All bytes of a buffer, as an array and as a view. */
interface WholeBuffer {
  readonly buffer: ArrayBufferLike;
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

const KNOWN = new WeakMap<ArrayBufferLike, WholeBuffer>();
let lastPart: Uint8Array = new Uint8Array(0);
let last = newWhole(lastPart.buffer);

/**
 * The buffer that an array is a part of.
 * PERF: packets lie in few buffers, and often in the one that the packet before lay in; a view costs more than a look,
 * and asking an array for its buffer costs as much as parsing a header.
 */
export function wholeOf(part: Uint8Array): WholeBuffer {
  if (part === lastPart) return last;
  lastPart = part;
  const { buffer } = part;
  if (last.buffer !== buffer) last = KNOWN.get(buffer) ?? newWhole(buffer);
  return last;
}

function newWhole(buffer: ArrayBufferLike): WholeBuffer {
  const whole = { buffer, bytes: new Uint8Array(buffer), view: new DataView(buffer) };
  KNOWN.set(buffer, whole);
  return whole;
}
