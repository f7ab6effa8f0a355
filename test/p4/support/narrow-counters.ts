import type { ActionText, Command, Literal, StfTest } from '../../../switch/stf/text/statements';

/**
 * The end of a block of the INT domain "HP" as packet tests have it: a timestamp that is zero or
 * does not matter, the upper word of the counter, zero, the lower one, and 100 Gb/s.
 */
const BLOCK = /(0{16}|[*]{16})0{8}([0-9a-f*]{8}000186a0)/gi;

const narrow = (digits: string): string => digits.replace(BLOCK, '$1FFFFFFFF$2');

/**
 * The packet test for a program that counts in 32 bits, and says by a word of ones that there are
 * no more. Such a word changes no Internet checksum, so all others stay as they are. Ages have 32
 * bits as well, so a longer interval is the longest, which none of them reaches.
 */
export function countedIn32Bits(test: StfTest): StfTest {
  const statements = test.statements.map((statement) => ({
    ...statement,
    command: narrowed(statement.command),
  }));
  return { ...test, statements };
}

const LONGEST = (1n << 32n) - 1n;

const shortened = (action: ActionText): ActionText => ({
  ...action,
  arguments: action.arguments.map(({ name, value }) => ({
    name,
    value: name === 'interval_ns' && value.value > LONGEST ? decimal(LONGEST) : value,
  })),
});

const decimal = (value: bigint): Literal => ({
  text: String(value),
  value,
  known: (1n << BigInt(value.toString(2).length)) - 1n,
  bits: value.toString(2).length,
  radix: 10,
});

function narrowed(command: Command): Command {
  if (command.kind === 'packet') {
    const digits = narrow(Buffer.from(command.bytes).toString('hex'));
    return { ...command, bytes: Uint8Array.from(Buffer.from(digits, 'hex')) };
  }
  if (command.kind === 'add') return { ...command, action: shortened(command.action) };
  if (command.kind !== 'expect' || command.pattern === undefined) return command;
  return { ...command, pattern: { ...command.pattern, digits: narrow(command.pattern.digits) } };
}
