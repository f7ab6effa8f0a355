import { InputError } from '../../../common/errors';

/** Position in a P4 source, as p4c records it. */
export interface SourceInfo {
  readonly filename?: string | undefined;
  readonly line?: number | undefined;
}

/**
 * Where in a program the reader is: the path in the JSON, and the P4 file and line of the innermost
 * construct that carries one.
 */
export class Place {
  constructor(
    readonly path: string,
    readonly source?: string,
  ) {}

  /** The place of a member or element. */
  child(key: string | number): Place {
    const step = typeof key === 'number' ? `[${key}]` : this.path === '' ? key : `.${key}`;
    return new Place(this.path + step, this.source);
  }

  /** The same place, named by its position in the P4 source when there is one. */
  in(info: SourceInfo | null | undefined): Place {
    if (info?.filename === undefined || info.line === undefined) return this;
    return new Place(this.path, `${info.filename}:${info.line}`);
  }

  toString(): string {
    return this.source ?? (this.path === '' ? 'the top level' : this.path);
  }
}

/** The program is well formed but needs something that this switch does not have. */
export function refuse(construct: string, place: Place): never {
  throw new InputError(`program uses ${construct} at ${place.toString()}: not supported`);
}

/** The JSON is not what p4c writes. */
export function malformed(problem: string, place: Place): never {
  throw new InputError(`BMv2 JSON is malformed at ${place.toString()}: ${problem}`);
}
