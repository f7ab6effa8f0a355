type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

type Holder = Record<string, Json>;

/** A place in a document: what holds it, under which key, and where that holder stands itself. */
interface Slot {
  readonly holder: Holder;
  readonly key: string;
  readonly parent: Slot | undefined;
}

/** Replacements for a part: the ends of numbers, and values of another kind than any part. */
const REPLACEMENTS: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  2,
  7,
  8,
  63,
  64,
  255,
  0.5,
  65536,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  '',
  '__proto__',
  'constructor',
  'hdr',
  'scalars',
  '0x',
  '0xff',
  '-1',
  [],
  [[]],
  {},
];

const EDIT_BYTES = 4;
/**
 * Elements that one change adds, and values in what it copies: without bounds, most of a campaign is
 * spent on a few large documents.
 */
const MORE_MAX = 7;
const COPIED_MAX = 100;

/**
 * A JSON document with small changes of its parts, so that it stays a document. A change has four
 * bytes: which part (two bytes), what is done, and with what.
 *
 * PERF: only what holds a changed part is copied, and only the members of the document that have one
 * are written anew. Reading and writing all of it took a quarter of a campaign.
 */
export class DocumentEdits {
  readonly #root: Holder;
  readonly #slots: readonly Slot[];
  /** Each member of the document as text. */
  readonly #texts = new Map<Json, string>();

  constructor(text: string) {
    this.#root = { document: JSON.parse(text) as Json };
    this.#slots = slotsOf(this.#root);
    for (const member of Object.values(this.#root['document'] as Holder)) {
      if (isHolder(member)) this.#texts.set(member, JSON.stringify(member));
    }
  }

  /** The text of the document with these changes, one after the other. */
  edited(edits: Uint8Array): string {
    const slots = this.#slots;
    const copies = new Copies();
    for (let at = 0; at + EDIT_BYTES <= edits.length; at += EDIT_BYTES) {
      const [high = 0, low = 0, how = 0, what = 0] = edits.subarray(at, at + EDIT_BYTES);
      const slot = slots[(256 * high + low) % slots.length];
      const other = slots[(256 * low + what) % slots.length];
      if (slot === undefined || other === undefined) continue;
      const part = copies.present(other.holder)[other.key] ?? null;
      const old = slot.holder[slot.key];
      if (Array.isArray(old)) copies.ownOf({ holder: asHolder(old), parent: slot });
      change({ holder: copies.ownOf(slot), key: slot.key }, part, how, what);
    }
    return this.#written(copies.present(this.#root)['document'] ?? null);
  }

  #written(document: Json): string {
    if (!isHolder(document) || Array.isArray(document)) return JSON.stringify(document);
    const members = Object.entries(document).map(
      ([key, value]) => `${JSON.stringify(key)}:${this.#texts.get(value) ?? JSON.stringify(value)}`,
    );
    return `{${members.join(',')}}`;
  }
}

/** Copies of what changes in a document, which stays as it is. */
class Copies {
  readonly #copies = new Map<Holder, Holder>();

  /** Returns the present copy of a part of the document. */
  present(part: Holder): Holder {
    return this.#copies.get(part) ?? part;
  }

  /** The copy of what holds a place, which may change; of what is no longer there, one that nobody sees. */
  ownOf({ holder, parent }: Pick<Slot, 'holder' | 'parent'>): Holder {
    const known = this.#copies.get(holder);
    if (known !== undefined) return known;
    const copy = Array.isArray(holder) ? asHolder([...(holder as Json[])]) : { ...holder };
    this.#copies.set(holder, copy);
    if (parent !== undefined) {
      const above = this.ownOf(parent);
      for (const key in above) if (above[key] === holder) above[key] = copy;
    }
    return copy;
  }
}

type Place = Pick<Slot, 'holder' | 'key'>;

function change({ holder, key }: Place, other: Json, how: number, what: number): void {
  const old = holder[key];
  switch (how % 6) {
    case 0:
      holder[key] = cloneOf(REPLACEMENTS[what % REPLACEMENTS.length] ?? null);
      return;
    case 1:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else Reflect.deleteProperty(holder, key);
      return;
    case 2:
      holder[key] = copyOf(other);
      return;
    case 3:
      if (typeof old === 'number') holder[key] = old + what - 128;
      else if (Array.isArray(old)) old.push(...old.slice(0, what % (MORE_MAX + 1)).map(copyOf));
      return;
    case 4:
      if (typeof old === 'string') holder[key] = changedText(old, what);
      else if (Array.isArray(old)) old.reverse();
      return;
    default:
      holder[String.fromCharCode(97 + (what % 26))] = old ?? null;
  }
}

/** Copies a part; null for one that is too large. */
const copyOf = (part: Json): Json =>
  valuesIn(part, COPIED_MAX) <= COPIED_MAX ? cloneOf(part) : null;

/** PERF: `structuredClone` writes and reads a message of the part, which takes several times as long. */
function cloneOf(part: Json): Json {
  if (!isHolder(part)) return part;
  if (Array.isArray(part)) return part.map(cloneOf);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, cloneOf(value)]));
}

/** Counts no further than behind `enough`. */
function valuesIn(part: Json, enough: number): number {
  let count = 1;
  if (!isHolder(part)) return count;
  for (const each of Object.values(part)) {
    if (count > enough) break;
    count += valuesIn(each, enough - count);
  }
  return count;
}

function changedText(text: string, what: number): string {
  const at = what % (text.length + 1);
  return text.slice(0, at) + String.fromCharCode(32 + (what % 96)) + text.slice(at + 1);
}

function slotsOf(root: Holder): Slot[] {
  const slots: Slot[] = [];
  addSlots(root, undefined, slots);
  return slots;
}

function addSlots(holder: Holder, parent: Slot | undefined, slots: Slot[]): void {
  for (const [key, value] of Object.entries(holder)) {
    const slot = { holder, key, parent };
    slots.push(slot);
    if (isHolder(value)) addSlots(value, slot, slots);
  }
}

const asHolder = (list: Json[]): Holder => list as unknown as Holder;

const isHolder = (value: Json | undefined): value is Holder & Json =>
  typeof value === 'object' && value !== null;
