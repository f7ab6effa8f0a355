import { GENERIC_FLAGS, OWN_FLAGS, TARGET_FLAGS } from './flag-table';
import type { Flag } from './flag-table';

const COLUMN = 34;

/** The text of `--help`. */
export function flagHelp(): string {
  return [
    'Usage: hpcc switch [options] [<BMv2 JSON> | --no-p4] [-- target options]',
    '',
    'Runs a P4 program on network interfaces, in place of simple_switch_grpc.',
    '',
    'Options:',
    ...GENERIC_FLAGS.map(line),
    '',
    'Target options:',
    ...TARGET_FLAGS.map(line),
    '',
    'Options that bmv2 does not have:',
    ...OWN_FLAGS.map(line),
    '',
  ].join('\n');
}

function line({ name, letter, value, effect, help }: Flag): string {
  const short = letter === undefined ? '' : `-${letter}, `;
  const argument = { none: '', required: ' VALUE', optional: ' [VALUE]' }[value];
  const note = { acts: '', ignored: ' (no effect)', refused: ' (not supported)' }[effect];
  return `  ${short}--${name}${argument}`.padEnd(COLUMN) + ` ${help}${note}`;
}
