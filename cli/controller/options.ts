import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { parseNumber, parseWideWhole } from '../../common/units/number-text';
import type { ConnectOptions } from '../../controller/io/connect';

/** Options that every command about switches has. */
export interface CommonOptions {
  readonly deadline: number;
  readonly electionId: bigint;
  readonly json?: true;
}

/** Adds the common options to a command. */
export function withCommonOptions(command: Command): Command {
  return command
    .option('--json', 'print JSON for programs instead of text for people')
    .addOption(deadlineOption())
    .addOption(electionIdOption());
}

/** Time limit of connections and calls, in seconds on the command line and ms in the program. */
export function deadlineOption(): Option {
  return new Option('--deadline <seconds>', 'how long to wait for each connection and call')
    .argParser(seconds)
    .default(5000, '5');
}

/** The default is told in words, since commander cannot print a bigint. */
function electionIdOption(): Option {
  return new Option('--election-id <n>', 'the highest of several controllers leads')
    .argParser(electionId)
    .default(1n, '1');
}

export function connectOptions(options: CommonOptions, folder: string): ConnectOptions {
  const { deadline, electionId: id } = options;
  return { deadline, electionId: id, folder };
}

/** Seconds of a day; a timer of more than 24 days would not wait at all. */
const DAY = 86_400;

/** Seconds as milliseconds. */
export function seconds(text: string): number {
  const value = parseNumber(text);
  if (value !== undefined && value > 0 && value <= DAY)
    return Math.max(1, Math.round(value * 1000));
  throw new InvalidArgumentError(`must be a number of seconds above 0, up to ${DAY}.`);
}

function electionId(text: string): bigint {
  const value = parseWideWhole(text);
  if (value !== undefined && value > 0n && value < 1n << 128n) return value;
  throw new InvalidArgumentError('must be a whole number from 1 to 2^128 - 1.');
}
