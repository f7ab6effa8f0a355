import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT } from '../support/paths';

/** Constructs of P4 that lower to different parts of the JSON; the smallest programs that have them. */
const NAMES = [
  'parser_stack',
  'parser_union',
  'parser_varbit',
  'parser_value_set',
  'parser_lookahead',
  'tbl_selector',
  'tbl_ternary',
  'tbl_const_entries',
  'registers',
  'counters',
  'meter_packets',
  'checksum_ipv4',
  'clone_ingress',
  'digest',
  'hash_range',
  'control_flow',
];

/** True for the keys of places in the P4 text, which take half of a program. */
const isNoise = (key: string): boolean => key === 'source_info';

export function smallPrograms(): string[] {
  return NAMES.map((name) => {
    const file = path.join(ROOT, 'test', 'p4', 'artifacts', `${name}.json`);
    return withoutNoise(fs.readFileSync(file, 'utf8'));
  });
}

/** The program without what nothing here reads. */
export const withoutNoise = (json: string): string =>
  JSON.stringify(JSON.parse(json), (key, value: unknown) => (isNoise(key) ? undefined : value));
