import * as fs from 'node:fs';
import * as path from 'node:path';
import { z } from 'zod';
import { InputError } from '../errors';
import { p4SourceFolder } from './p4-profiles';

/** What p4c made of one program, as committed. */
export interface P4Artifacts {
  readonly name: string;
  /** The BMv2 JSON. */
  readonly deviceConfig: string;
  /** P4Info in protobuf's JSON form. */
  readonly p4info: string;
  readonly manifest: P4Manifest;
}

const manifestSchema = z.strictObject({
  program: z.string(),
  /** SHA-256 over flags and sources, see sourcesDigest in p4-sources. */
  sourcesSha256: z.string(),
  p4c: z.string(),
  flags: z.array(z.string()),
});

export type P4Manifest = z.infer<typeof manifestSchema>;

export const p4ArtifactFolder = (): string => path.join(p4SourceFolder(), 'artifacts');

/** Reads the committed artefacts of a program. Throws InputError when there are none. */
export function loadP4Artifacts(name: string): P4Artifacts {
  const file = (suffix: string): string => path.join(p4ArtifactFolder(), `${name}.${suffix}`);
  const read = (suffix: string): string => {
    try {
      return fs.readFileSync(file(suffix), 'utf8');
    } catch {
      throw new InputError(`no compiled program '${name}': ${file(suffix)} cannot be read`);
    }
  };
  return {
    name,
    deviceConfig: read('json'),
    p4info: read('p4info.json'),
    manifest: manifestSchema.parse(JSON.parse(read('manifest.json'))),
  };
}
