import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { parseP4Info } from '../../../common/p4runtime/load-p4info';
import { withoutPlaces } from '../../p4/support/test-programs';
import { ROOT } from '../paths';

const FOLDER = path.join(ROOT, 'test', 'fixtures', 'p4runtime');
const COMPILER = 'p4c-bm2-ss';

/** A program of test/fixtures/p4runtime, as p4c has compiled it. */
export interface CompiledProgram {
  /** P4Info in text format, with single spaces, so that tests can change something in it. */
  readonly p4info: string;
  /** The BMv2 JSON without white space. */
  readonly json: string;
}

export function compiledProgram(name: string): CompiledProgram {
  const read = (file: string): string => fs.readFileSync(path.join(FOLDER, file), 'utf8');
  return {
    p4info: withoutComments(read(`${name}.p4info.txtpb`)).replace(/\s+/g, ' '),
    json: JSON.stringify(JSON.parse(read(`${name}.json`))),
  };
}

/** The number that P4Info gives to an object, by the name of the object. */
export function idsOf({ p4info }: CompiledProgram): (name: string) => number {
  const info = parseP4Info(Buffer.from(p4info), 'text');
  const objects = [
    ...info.tables,
    ...info.actions,
    ...info.actionProfiles,
    ...info.counters,
    ...info.meters,
    ...info.registers,
    ...info.digests,
    ...info.valueSets,
  ];
  const ids = new Map(objects.map(({ preamble: { name, id } }) => [name, id]));
  return (name) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`P4Info has no ${name}`);
    return id;
  };
}

/** The committed artefacts of a program, and what p4c on PATH makes of it now, by file. */
export function recompiled(name: string): { readonly [file: string]: readonly [string, string] } {
  const out = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-p4runtime-'));
  try {
    const files = [`${name}.json`, `${name}.p4info.txtpb`];
    const [json = '', p4info = ''] = files.map((file) => path.join(out, file));
    const args = ['--std', 'p4-16', '-o', json, '--p4runtime-files', p4info, `${name}.p4`];
    const run = spawnSync(COMPILER, args, { cwd: FOLDER, encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`${COMPILER} ${name}.p4 failed:\n${run.stderr}`);
    const text = (folder: string, file: string): string => {
      const made = fs.readFileSync(path.join(folder, file), 'utf8');
      return file.endsWith('.json') ? withoutPlaces(made) : made;
    };
    return Object.fromEntries(files.map((file) => [file, [text(FOLDER, file), text(out, file)]]));
  } finally {
    fs.rmSync(out, { recursive: true });
  }
}

function withoutComments(text: string): string {
  return text.replace(/^#.*$/gm, '');
}
