import type { Program } from '../../ir/nodes';

/**
 * Part of a program, small enough that taking it over from another thread delays nothing. Lists and
 * maps come in runs of elements, everything else whole.
 */
export type ProgramPart =
  | { readonly key: string; readonly kind: 'list'; readonly elements: readonly unknown[] }
  | {
      readonly key: string;
      readonly kind: 'map';
      readonly elements: readonly (readonly [unknown, unknown])[];
    }
  | { readonly key: string; readonly kind: 'value'; readonly value: unknown };

/** Elements of a part: some hundred nodes. */
const RUN = 8;

/** The parts of a program, in any number of messages. */
export function* partsOf(program: Program): Iterable<ProgramPart> {
  for (const [key, value] of Object.entries(program) as [string, unknown][]) {
    if (value instanceof Map) {
      const elements = [...(value as ReadonlyMap<unknown, unknown>)];
      for (const run of runsOf(elements)) yield { key, kind: 'map', elements: run };
    } else if (Array.isArray(value)) {
      for (const run of runsOf<unknown>(value)) yield { key, kind: 'list', elements: run };
    } else {
      yield { key, kind: 'value', value };
    }
  }
}

/** An empty list has one empty run, so that it arrives. */
function* runsOf<T>(elements: readonly T[]): Iterable<readonly T[]> {
  for (let first = 0; first === 0 || first < elements.length; first += RUN) {
    yield elements.slice(first, first + RUN);
  }
}

/** Puts a program together of its parts. */
export class ProgramParts {
  readonly #found: Record<string, unknown> = {};

  add(part: ProgramPart): void {
    const { key } = part;
    switch (part.kind) {
      case 'value':
        this.#found[key] = part.value;
        break;
      case 'list':
        ((this.#found[key] ??= []) as unknown[]).push(...part.elements);
        break;
      case 'map': {
        const map = (this.#found[key] ??= new Map()) as Map<unknown, unknown>;
        for (const [name, value] of part.elements) map.set(name, value);
      }
    }
  }

  /** The program, once all parts are there. */
  whole(): Program {
    return this.#found as unknown as Program;
  }
}
