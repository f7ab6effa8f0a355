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
  /** Candidates by full name, and by every other name once it has been asked for. */
  private readonly byName: Map<string, readonly T[]>;

  /** @param kind the word for the objects in error messages, such as "table". */
  constructor(
    readonly kind: string,
    readonly all: readonly T[],
  ) {
    this.byId = new Map(all.map((each) => [each.id, each]));
    // Of two objects with one name the first counts, as in a search from the start.
    this.byName = new Map([...all].reverse().map((each) => [each.name, [each]]));
  }

  /**
   * Finds an object by its full name, its alias, or a suffix that begins after a dot and that no
   * other object has.
   * @throws InputError naming what exists.
   */
  get(name: string): T {
    const [only, ...others] = this.candidates(name);
    if (only === undefined) throw this.unknown(name);
    if (others.length > 0) throw this.ambiguous(name, [only, ...others]);
    return only;
  }

  /** The object of that name; undefined when there is none or more than one. */
  find(name: string): T | undefined {
    const [only, ...others] = this.candidates(name);
    return others.length === 0 ? only : undefined;
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

  private unknown(name: string): InputError {
    const names = this.all.map((each) => each.name).join(', ');
    return new InputError(`no ${this.kind} '${name}'; the program has: ${names || 'none'}`);
  }

  private ambiguous(name: string, found: readonly T[]): InputError {
    const names = found.map((each) => each.name).join(', ');
    return new InputError(`'${name}' may be any of the ${this.kind}s ${names}`);
  }
}
