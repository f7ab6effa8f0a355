import { InputError } from '../../../common/errors';
import { ALL_FLAGS } from './flag-table';
import type { Flag } from './flag-table';

/** A flag as it was given. The value is empty where the flag takes none or it was left out. */
export interface GivenFlag {
  readonly flag: Flag;
  readonly value: string;
}

export interface SplitFlags {
  readonly given: readonly GivenFlag[];
  readonly positional: readonly string[];
}

/**
 * Splits a command line by the rules of bmv2: `--name VALUE`, `--name=VALUE`, `-x VALUE`,
 * `-xVALUE`, and `--` before the flags of the target. The separator is optional here, so a flag means the same
 * on both sides of it.
 * @throws InputError naming the first argument that no flag explains.
 */
export function splitFlags(argv: readonly string[]): SplitFlags {
  const given: GivenFlag[] = [];
  const positional: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] ?? '';
    if (argument === '--') continue;
    if (!argument.startsWith('-') || argument === '-') {
      positional.push(argument);
      continue;
    }
    const { flag, attached } = readFlag(argument);
    const follows =
      flag.value === 'required' || (flag.value === 'optional' && isValue(argv[i + 1]));
    if (attached !== undefined || !follows) {
      given.push({ flag, value: withoutSurplus(flag, attached) });
      continue;
    }
    i += 1;
    given.push({ flag, value: needed(argument, argv[i]) });
  }
  return { given, positional };
}

/** True if bmv2 takes the argument as the value of a flag with an optional value. */
const isValue = (next: string | undefined): boolean => next !== undefined && !next.startsWith('-');

interface NamedFlag {
  readonly flag: Flag;
  /** A value in the same argument. */
  readonly attached: string | undefined;
}

function readFlag(argument: string): NamedFlag {
  if (!argument.startsWith('--')) {
    const flag = find(argument, ({ letter }) => letter === argument[1]);
    return { flag, attached: argument.length > 2 ? argument.slice(2) : undefined };
  }
  const [name = '', ...rest] = argument.slice(2).split('=');
  const flag = find(`--${name}`, (candidate) => candidate.name === name);
  return { flag, attached: rest.length > 0 ? rest.join('=') : undefined };
}

function find(argument: string, matches: (flag: Flag) => boolean): Flag {
  const flag = ALL_FLAGS.find(matches);
  if (flag !== undefined) return flag;
  throw new InputError(`unknown flag ${argument} (--help lists the flags)`);
}

function withoutSurplus(flag: Flag, attached: string | undefined): string {
  if (attached === undefined) return '';
  if (flag.value !== 'none') return attached;
  throw new InputError(`flag --${flag.name} takes no value, and '${attached}' was given`);
}

function needed(argument: string, value: string | undefined): string {
  if (value !== undefined && value !== '--') return value;
  throw new InputError(`flag ${argument} needs a value`);
}
