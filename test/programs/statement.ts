/** A statement of a random program, with statements inside that can go one by one. */
export interface Statement {
  /** In front of the statements inside; the whole text where there are none. */
  readonly head: string;
  readonly inside?: readonly Statement[];
  /** Behind them. */
  readonly tail?: string;
}

export const line = (head: string): Statement => ({ head });

export function textOf(statements: readonly Statement[], indent = '    '): string {
  return statements
    .map(({ head, inside, tail }) =>
      inside === undefined
        ? `${indent}${head}\n`
        : `${indent}${head}\n${textOf(inside, `${indent}  `)}${indent}${tail ?? ''}\n`,
    )
    .join('');
}

/** All lists of statements with one statement fewer, outer ones first. */
export function* withoutOne(statements: readonly Statement[]): Iterable<readonly Statement[]> {
  for (let i = 0; i < statements.length; i++) yield statements.filter((_, at) => at !== i);
  for (const [i, { head, inside, tail }] of statements.entries()) {
    for (const smaller of inside === undefined ? [] : withoutOne(inside)) {
      const changed = { head, inside: smaller, ...(tail !== undefined && { tail }) };
      yield statements.map((each, at) => (at === i ? changed : each));
    }
  }
}
