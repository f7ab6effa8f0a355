import { BinaryWriter } from 'google-protobuf';

/** What a compiler for Tofino has made of one pipeline of a program. */
export interface TofinoPipeline {
  readonly name: string;
  /** `context.json`: what the driver must know of the tables. */
  readonly context: Uint8Array;
  /** `tofino.bin`: what the chip runs. */
  readonly binary: Uint8Array;
  /** The pipes of the chip that run it. */
  readonly pipes: readonly number[];
}

export interface TofinoProgram {
  readonly name: string;
  /** `bf-rt.json`: the tables in the words of the driver. */
  readonly bfrt: Uint8Array;
  readonly pipelines: readonly TofinoPipeline[];
}

/** Field numbers of Stratum's BfPipelineConfig and of its Profile (stratum/hal/lib/barefoot). */
const FIELD = { name: 1, bfrt: 2, profile: 3 } as const;
const PROFILE_FIELD = { name: 1, context: 2, binary: 3, pipes: 4 } as const;

/** The device configuration that Stratum takes for Tofino: its message BfPipelineConfig. */
export function encodeTofinoConfig({ name, bfrt, pipelines }: TofinoProgram): Uint8Array {
  const writer = new BinaryWriter();
  writer.writeString(FIELD.name, name);
  writer.writeBytes(FIELD.bfrt, bfrt);
  for (const pipeline of pipelines) writer.writeBytes(FIELD.profile, encodeProfile(pipeline));
  return writer.getResultBuffer();
}

function encodeProfile({ name, context, binary, pipes }: TofinoPipeline): Uint8Array {
  const writer = new BinaryWriter();
  writer.writeString(PROFILE_FIELD.name, name);
  writer.writeBytes(PROFILE_FIELD.context, context);
  writer.writeBytes(PROFILE_FIELD.binary, binary);
  writer.writePackedUint32(PROFILE_FIELD.pipes, [...pipes]);
  return writer.getResultBuffer();
}
