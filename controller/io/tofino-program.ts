import * as fs from 'node:fs';
import * as path from 'node:path';
import { z } from 'zod';
import { firstSchemaFault } from '../../common/document/schema-faults';
import { InputError } from '../../common/errors';
import { loadP4Info } from '../p4runtime/requests/pipeline';
import type { Pipeline } from '../p4runtime/requests/pipeline';
import { MessageWriter } from '../../common/protobuf/message-writer';

/** The part of the compiler's `<program>.conf` that says where its other files are. */
const confSchema = z.object({
  p4_devices: z.tuple([
    z.object({
      p4_programs: z.tuple([
        z.object({
          'program-name': z.string(),
          'bfrt-config': z.string(),
          p4_pipelines: z
            .array(
              z.object({
                p4_pipeline_name: z.string(),
                context: z.string(),
                config: z.string(),
                pipe_scope: z.array(z.int().min(0).max(31)).default([]),
              }),
            )
            .min(1),
        }),
      ]),
    }),
  ]),
});

/**
 * Reads what a compiler for Tofino has written, for Stratum: the P4Info, and all files that the
 * `.conf` names, relative to itself.
 * @throws InputError naming the file; Stratum runs one program on one device.
 */
export async function loadTofinoPipeline(p4infoFile: string, confFile: string): Promise<Pipeline> {
  const p4info = await loadP4Info(p4infoFile);
  const [device] = parseConf(confFile).p4_devices;
  const [program] = device.p4_programs;
  const file = (name: string): Uint8Array => read(path.resolve(path.dirname(confFile), name));
  const pipelines = program.p4_pipelines.map((pipeline): TofinoPipeline => ({
    name: pipeline.p4_pipeline_name,
    context: file(pipeline.context),
    binary: file(pipeline.config),
    pipes: pipeline.pipe_scope,
  }));
  const name = program['program-name'];
  const bfrt = file(program['bfrt-config']);
  return { p4info, deviceConfig: encodeTofinoConfig({ name, bfrt, pipelines }) };
}

function parseConf(file: string): z.infer<typeof confSchema> {
  const text = Buffer.from(read(file)).toString('utf8');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new InputError(`${file}: expected the .conf of a compiler for Tofino, which is JSON`);
  }
  const parsed = confSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new InputError(`${file}: ${firstSchemaFault(parsed.error)}`);
}

function read(file: string): Uint8Array {
  try {
    return Uint8Array.from(fs.readFileSync(file));
  } catch (error) {
    throw new InputError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? ''}`);
  }
}

/** Compiled form of one pipeline of a program for Tofino. */
interface TofinoPipeline {
  readonly name: string;
  /** `context.json`: what the driver must know of the tables. */
  readonly context: Uint8Array;
  /** `tofino.bin`: what the chip runs. */
  readonly binary: Uint8Array;
  /** The pipes of the chip that run it. */
  readonly pipes: readonly number[];
}

interface TofinoProgram {
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
  const writer = new MessageWriter();
  writer.writeString(FIELD.name, name);
  writer.writeBytes(FIELD.bfrt, bfrt);
  for (const pipeline of pipelines) writer.writeBytes(FIELD.profile, encodeProfile(pipeline));
  return writer.getResultBuffer();
}

function encodeProfile({ name, context, binary, pipes }: TofinoPipeline): Uint8Array {
  const writer = new MessageWriter();
  writer.writeString(PROFILE_FIELD.name, name);
  writer.writeBytes(PROFILE_FIELD.context, context);
  writer.writeBytes(PROFILE_FIELD.binary, binary);
  writer.writePackedUint32(PROFILE_FIELD.pipes, [...pipes]);
  return writer.getResultBuffer();
}
