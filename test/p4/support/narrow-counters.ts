import type { Command, StfTest } from '../../../switch/stf/text/statements';

/**
 * The end of a block of the INT domain "HP" as packet tests have it: a timestamp that is zero or
 * does not matter, the upper word of the counter, zero, the lower one, and 100 Gb/s.
 */
const BLOCK = /(0{16}|[*]{16})0{8}([0-9a-f*]{8}000186a0)/gi;

const narrow = (digits: string): string => digits.replace(BLOCK, '$1FFFFFFFF$2');

/**
 * The packet test for a program that counts in 32 bits, and says by a word of ones that there are
 * no more. Such a word changes no Internet checksum, so all others stay as they are.
 */
export function countedIn32Bits(test: StfTest): StfTest {
  const statements = test.statements.map((statement) => ({
    ...statement,
    command: narrowed(statement.command),
  }));
  return { ...test, statements };
}

function narrowed(command: Command): Command {
  if (command.kind === 'packet') {
    const digits = narrow(Buffer.from(command.bytes).toString('hex'));
    return { ...command, bytes: Uint8Array.from(Buffer.from(digits, 'hex')) };
  }
  if (command.kind !== 'expect' || command.pattern === undefined) return command;
  return { ...command, pattern: { ...command.pattern, digits: narrow(command.pattern.digits) } };
}
