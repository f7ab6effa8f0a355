import { StateError } from '../control/table-control';
import type { ValueSetControl, ValueSetMember } from '../control/program-control';
import type { KeyField } from '../../common/p4runtime/key-field';

/** Values that a parser state compares the parts of its key with. */
export class ValueSet implements ValueSetControl {
  #members: readonly ValueSetMember[] = [];

  constructor(
    readonly name: string,
    readonly size: number,
    readonly fieldWidths: readonly number[],
  ) {}

  members(): Iterable<ValueSetMember> {
    return this.#members;
  }

  /** True if one member matches all parts. */
  has(parts: readonly bigint[]): boolean {
    return this.#members.some((member) =>
      member.every((field, i) => matches(field, parts[i] ?? 0n, this.fieldWidths[i] ?? 0)),
    );
  }

  /** @throws StateError when the set does not hold so many, or a member has other parts. */
  setMembers(members: readonly ValueSetMember[]): void {
    if (members.length > this.size) {
      throw new StateError('exhausted', `value set '${this.name}' holds ${this.size} members`);
    }
    for (const { length } of members) {
      if (length === this.fieldWidths.length) continue;
      const wanted = `value set '${this.name}': wanted ${this.fieldWidths.length} parts`;
      throw new StateError('invalid', `${wanted}, found ${length}`);
    }
    this.#members = [...members];
  }

  add(value: bigint): void {
    const member = this.#split(value);
    if (this.#members.some((each) => sameMember(each, member))) {
      throw new StateError('already-exists', `value set '${this.name}' has the value ${value}`);
    }
    this.setMembers([...this.#members, member]);
  }

  remove(value: bigint): void {
    const member = this.#split(value);
    const left = this.#members.filter((each) => !sameMember(each, member));
    if (left.length === this.#members.length) {
      throw new StateError('not-found', `value set '${this.name}' has no value ${value}`);
    }
    this.#members = left;
  }

  clear(): void {
    this.#members = [];
  }

  /** The last part is in the low bits. */
  #split(value: bigint): KeyField[] {
    let rest = value;
    return this.fieldWidths
      .toReversed()
      .map((width): KeyField => {
        const part = BigInt.asUintN(width, rest);
        rest >>= BigInt(width);
        return { kind: 'exact', value: part };
      })
      .toReversed();
  }
}

function matches(field: KeyField, value: bigint, width: number): boolean {
  switch (field.kind) {
    case 'exact':
      return value === field.value;
    case 'ternary':
      return (value & field.mask) === (field.value & field.mask);
    case 'lpm': {
      const free = BigInt(width - field.prefixLength);
      return value >> free === field.value >> free;
    }
    case 'range':
      return value >= field.low && value <= field.high;
  }
}

function sameMember(a: ValueSetMember, b: ValueSetMember): boolean {
  return a.every((field, i) => {
    const other = b[i];
    return field.kind === 'exact' && other?.kind === 'exact' && field.value === other.value;
  });
}
