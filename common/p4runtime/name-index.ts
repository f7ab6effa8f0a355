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

  /** @param kind the word for the objects in error messages, such as "table". */
  constructor(
    readonly kind: string,
    readonly all: readonly T[],
  ) {
    this.byId = new Map(all.map((each) => [each.id, each]));
  }

  /**
   * Finds an object by its full name, its alias, or a suffix that begins after a dot and that no
   * other object has.
   * @throws InputError naming what exists.
   */
  get(name: string): T {
    const found =
      this.all.find((each) => each.name === name) ?? this.all.find((each) => each.alias === name);
    if (found !== undefined) return found;
    const [only, ...others] = this.all.filter((each) => each.name.endsWith(`.${name}`));
    if (only === undefined) throw this.unknown(name);
    if (others.length > 0) throw this.ambiguous(name, [only, ...others]);
    return only;
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
