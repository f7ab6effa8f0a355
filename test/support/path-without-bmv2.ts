import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

/** bmv2's programs: simple_switch, simple_switch_grpc, simple_switch_CLI and others. */
const OF_BMV2 = /^(simple_switch|bm_|psa_switch|pna_nic)/;

/** A PATH without bmv2's programs. */
export interface OtherPath {
  readonly value: string;
  remove(): void;
}

/** Folders with a program of bmv2 are replaced by ones with links to all else that they hold. */
export function pathWithoutBmv2(): OtherPath {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-path-'));
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(fs.existsSync);
  const value = folders.map((each, i) => {
    const names = fs.readdirSync(each);
    if (!names.some((name) => OF_BMV2.test(name))) return each;
    const other = path.join(folder, String(i));
    fs.mkdirSync(other);
    for (const name of names.filter((candidate) => !OF_BMV2.test(candidate))) {
      fs.symlinkSync(path.join(each, name), path.join(other, name));
    }
    return other;
  });
  return {
    value: value.join(path.delimiter),
    remove: () => fs.rmSync(folder, { recursive: true }),
  };
}
