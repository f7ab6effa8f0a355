import type { FilledField, MetadataWriter, PacketState } from './executor';

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
