type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A place in a document: what holds it, and under which key. */
interface Slot {
  readonly holder: Record<string, Json>;
  readonly key: string;
}

/** What stands in for a part: the ends of numbers, and what is of another kind than any part. */
const REPLACEMENTS: readonly Json[] = [
  ...[null, true, false, 0, 1, -1, 2, 7, 8, 63, 64, 255, 0.5, 65536, 2 ** 31, 2 ** 32, 2 ** 53],
  ...['', '__proto__', 'constructor', 'hdr', 'scalars', '0x', '0xff', '-1', [], [[]], {}],
];

const EDIT_BYTES = 4;

/**
 * A JSON document with small changes of its parts, so that it stays a document. A change has four
 * bytes: which part (two bytes), what is done, and with what.
 */
export class DocumentEdits {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text of the document with these changes, one after the other. */
  edited(edits: Uint8Array): string {
    // PERF: three times as fast as a structured clone.
    const root = { document: JSON.parse(this.#text) as Json };
    const slots = slotsOf(root);
    for (let at = 0; at + EDIT_BYTES <= edits.length; at += EDIT_BYTES) {
      const [high = 0, low = 0, how = 0, what = 0] = edits.subarray(at, at + EDIT_BYTES);
      const slot = slots[(256 * high + low) % slots.length];
      const other = slots[(256 * low + what) % slots.length];
      if (slot !== undefined && other !== undefined) change(slot, other, how, what);
    }
    return JSON.stringify(root.document ?? null);
  }
}

function change({ holder, key }: Slot, other: Slot, how: number, what: number): void {
  const old = holder[key];
  switch (how % 6) {
    case 0:
      holder[key] = REPLACEMENTS[what % REPLACEMENTS.length] ?? null;
      return;
    case 1:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else Reflect.deleteProperty(holder, key);
      return;
    case 2:
      holder[key] = structuredClone(other.holder[other.key] ?? null);
      return;
    case 3:
      if (typeof old === 'number') holder[key] = old + what - 128;
      else if (Array.isArray(old)) old.push(...structuredClone(old.slice(0, what)));
      return;
    case 4:
      if (typeof old === 'string') holder[key] = changedText(old, what);
      else if (Array.isArray(old)) old.reverse();
      return;
    default:
      holder[String.fromCharCode(97 + (what % 26))] = old ?? null;
  }
}

function changedText(text: string, what: number): string {
  const at = what % (text.length + 1);
  return text.slice(0, at) + String.fromCharCode(32 + (what % 96)) + text.slice(at + 1);
}

function slotsOf(holder: object): Slot[] {
  const slots: Slot[] = [];
  addSlots(holder as Record<string, Json>, slots);
  return slots;
}

// PERF: most of the time of a changed program went into lists of the slots below each slot.
function addSlots(holder: Record<string, Json>, slots: Slot[]): void {
  for (const key in holder) {
    slots.push({ holder, key });
    const value = holder[key];
    if (typeof value === 'object' && value !== null) addSlots(value as Record<string, Json>, slots);
  }
}
