import type { PacketState } from './executor';

/** A field of the metadata that the architecture fills in. */
export interface FilledField {
  readonly slot: number;
  /** 2^width. */
  readonly modulus: number;
  /** What becomes of a value that does not fit: the largest one, instead of its remainder. */
  readonly saturates?: boolean;
}

/**
 * Writes several values at once, each into the field at its place; `values` are not negative.
 * PERF: an array of doubles, because numbers beyond 31 bits that are passed to a call cost an object each.
 */
export interface MetadataWriter<State extends PacketState = PacketState> {
  write(state: State, values: Float64Array): void;
}

/** A writer for any executor. Fields that the program does not declare are undefined. */
export function plainWriter(fields: readonly (FilledField | undefined)[]): MetadataWriter {
  const write = (state: PacketState, values: Float64Array): void => {
    fields.forEach((field, i) => {
      if (field === undefined) return;
      const { slot, modulus, saturates } = field;
      const value = values[i] as number;
      const rest = saturates === true ? modulus - 1 : value % modulus;
      state.writeMetadata(slot, value < modulus ? value : rest);
    });
  };
  return { write };
}
