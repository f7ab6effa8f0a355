import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as v8 from 'node:v8';
import { readKept, writeKept } from '../../../common/io/loop/kept-files';
import { letPacketsPass } from '../../../common/io/packets-first';
import { projectVersion } from '../../../common/io/repository';
import type { GeneratedProgram } from '../../codegen/generate';
import type { ProgramPart } from './message-parts';

/** Form of the kept file; a number of its own whenever that changes. */
const FORM = 1;
/** Kept programs: somebody who writes one makes a new file with each change. */
const MOST = 32;

/** A program's parts as they were read, and the code generated for it. */
export interface ReadProgram {
  readonly parts: readonly ProgramPart[];
  readonly generated: GeneratedProgram | undefined;
}

/** A module whose change may change what is read or generated. */
type ModuleStamp = readonly [file: string, bytes: number, changedMs: number];

interface Kept {
  readonly modules: readonly ModuleStamp[];
  /** In the form of structured clones, so that packets pass between any two. */
  readonly parts: readonly Uint8Array[];
  readonly generated: Uint8Array;
}

/**
 * Place of a program that was read, for the next process: reading and generating take a tenth of a second of the
 * processor, and dozens of switches of a network have the same program.
 */
export function keptProgramFile(
  folder: string,
  { json, dropPort }: { readonly json: string; readonly dropPort: number | undefined },
): string {
  const { version, arch } = process;
  const key = [FORM, version, arch, projectVersion(), dropPort ?? 'none', ''].join('\n');
  const digest = crypto.createHash('sha1').update(key).update(json).digest('hex');
  return path.join(folder, `program-${digest}.kept`);
}

/** Keeps a program beside the state of all modules that this thread has loaded, which read it. */
export function keepProgram(file: string, { parts, generated }: ReadProgram): void {
  const modules = Object.keys(require.cache).map(stampOf);
  const kept: Kept = {
    modules: modules.filter((each) => each !== undefined),
    parts: parts.map((part) => v8.serialize(part)),
    generated: v8.serialize(generated),
  };
  writeKept(file, v8.serialize(kept), MOST);
}

/** A program that was kept, unless a module has changed since; packets pass meanwhile. */
export function readKeptProgram(file: string): ReadProgram | undefined {
  const bytes = readKept(file);
  if (bytes === undefined) return undefined;
  try {
    const kept = v8.deserialize(bytes) as Kept;
    if (!kept.modules.every(isAsThen)) return undefined;
    const parts: ProgramPart[] = [];
    for (const part of kept.parts) {
      letPacketsPass();
      parts.push(v8.deserialize(part) as ProgramPart);
    }
    return { parts, generated: v8.deserialize(kept.generated) as GeneratedProgram | undefined };
  } catch {
    return undefined;
  }
}

function stampOf(file: string): ModuleStamp | undefined {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  return found && [file, found.size, found.mtimeMs];
}

function isAsThen([file, bytes, changedMs]: ModuleStamp): boolean {
  letPacketsPass();
  const now = stampOf(file);
  return now?.[1] === bytes && now[2] === changedMs;
}
