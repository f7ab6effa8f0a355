import { InputError } from '../errors';

/** An object of P4Info: its number, its full name, and its shortest unique suffix. */
export interface NamedObject {
  readonly id: number;
  readonly name: string;
  readonly alias: string;
}

/** Objects of one kind, by number and by name. */
export class NameIndex<T extends NamedObject> {
  private readonly byId: ReadonlyMap<number, T>;
  /** Candidates by full name, and by any other name once it has been looked up. */
  private readonly byName: Map<string, readonly T[]>;

  /** @param kind the word for the objects in error messages, such as "table". */
  constructor(
    readonly kind: string,
    readonly all: readonly T[],
  ) {
    this.byId = new Map(all.map((each) => [each.id, each]));
    // The first of two objects with one name counts, as in a search from the start.
    this.byName = new Map([...all].reverse().map((each) => [each.name, [each]]));
  }

  /**
   * Finds an object by its full name, its alias, or a suffix that begins after a dot and that no
   * other object has.
   * @param owner names what the objects belong to in messages; the program unless given.
   * @throws InputError naming what exists.
   */
  get(name: string, owner?: string): T {
    const found = this.candidates(name);
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    const names = (only === undefined ? this.all : found).map((each) => each.name).join(', ');
    const reason =
      only === undefined
        ? `no ${this.kind} '${name}'; ${owner ? 'it' : 'the program'} has: ${names || 'none'}`
        : `'${name}' may be any of the ${this.kind}s ${names}`;
    throw new InputError(owner === undefined ? reason : `${owner}: ${reason}`);
  }

  /** The object of that name; undefined when there is none or more than one. */
  find(name: string): T | undefined {
    const found = this.candidates(name);
    return found.length === 1 ? found[0] : undefined;
  }

  /** All objects that the name may mean: none, the one that it means, or several. */
  candidates(name: string): readonly T[] {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    const alias = this.all.find((each) => each.alias === name);
    const found = alias ? [alias] : this.all.filter((each) => each.name.endsWith(`.${name}`));
    // Names that lead nowhere are not kept: they may come without end.
    if (found.length > 0) this.byName.set(name, found);
    return found;
  }

  byNumber(id: number): T | undefined {
    return this.byId.get(id);
  }
}
