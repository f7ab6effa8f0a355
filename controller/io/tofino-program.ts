import * as fs from 'node:fs';
import * as path from 'node:path';
import { z } from 'zod';
import { InputError } from '../../common/errors';
import { encodeTofinoConfig } from '../../common/p4runtime/tofino-config';
import type { TofinoPipeline } from '../../common/p4runtime/tofino-config';
import { loadP4Info } from '../p4runtime/requests/pipeline';
import type { Pipeline } from '../p4runtime/requests/pipeline';

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
  const [issue] = parsed.error.issues;
  throw new InputError(`${file}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

function read(file: string): Uint8Array {
  try {
    return Uint8Array.from(fs.readFileSync(file));
  } catch (error) {
    throw new InputError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? ''}`);
  }
}
