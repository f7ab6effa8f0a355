import * as crypto from 'node:crypto';
import * as path from 'node:path';
import { withPlace } from '../../common/errors';
import { loadP4Artifacts } from '../../common/io/p4-profiles';
import { P4InfoIndex } from '../../common/p4runtime/p4info';
import type { ProgramDocument } from '../document/schema';
import type { Pipeline } from '../p4runtime/requests/pipeline';
import { compiledPipeline, loadPipeline } from '../p4runtime/requests/pipeline';
import { loadTofinoPipeline } from './tofino-program';

/** A program as the controller needs it: to load it, to name things, to derive entries. */
export interface LoadedProgram {
  /** Name for messages. */
  readonly name: string;
  /** With a cookie that tells this program from others. */
  readonly pipeline: Pipeline & { readonly cookie: bigint };
  readonly index: P4InfoIndex;
}

/**
 * Loads programs, each once.
 * @param folder where relative names of files in the document begin.
 */
export class ProgramFiles {
  private readonly loaded = new Map<string, Promise<LoadedProgram>>();

  constructor(private readonly folder: string) {}

  /** @throws InputError naming the file. */
  load(program: ProgramDocument): Promise<LoadedProgram> {
    const key = JSON.stringify(program);
    const found = this.loaded.get(key) ?? this.read(program);
    this.loaded.set(key, found);
    return found;
  }

  private async read(program: ProgramDocument): Promise<LoadedProgram> {
    if (typeof program === 'string') {
      return loadedProgram(program, compiledPipeline(loadP4Artifacts(program)));
    }
    const p4info = path.resolve(this.folder, program.p4info);
    if ('conf' in program) {
      const conf = path.resolve(this.folder, program.conf);
      return loadedProgram(path.basename(conf), await loadTofinoPipeline(p4info, conf));
    }
    const config = path.resolve(this.folder, program.config);
    return loadedProgram(path.basename(config), await loadPipeline(p4info, config));
  }
}

/** @throws InputError when the P4Info contradicts itself. */
export function loadedProgram(name: string, pipeline: Pipeline): LoadedProgram {
  return withPlace(`program ${name}`, () => {
    const index = P4InfoIndex.of(pipeline.p4info);
    const cookie = pipeline.cookie ?? cookieOf(pipeline);
    return { name, pipeline: { ...pipeline, cookie }, index };
  });
}

/** The first 64 bits of a digest over both parts; 0 would mean none. */
function cookieOf({ p4info, deviceConfig }: Pipeline): bigint {
  const hash = crypto.createHash('sha256');
  hash.update(p4info.serialize());
  hash.update(deviceConfig);
  return hash.digest().readBigUInt64BE() | 1n;
}
