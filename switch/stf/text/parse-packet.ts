import type { Command } from './statements';
import type { TokenReader } from './token-reader';

/** `packet PORT HEX...` */
export function parsePacket(reader: TokenReader): Command {
  const port = parsePort(reader);
  const digits = parseDigits(reader);
  if (digits === '') reader.fail("the packet's hexadecimal digits");
  if (digits.includes('*')) reader.fail("a packet without '*'");
  if (digits.length % 2 === 1) {
    reader.fail(`an even number of hexadecimal digits instead of ${digits.length}`);
  }
  const bytes = Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
  return { kind: 'packet', port, bytes };
}

/** `expect PORT [HEX|* ...] [$]` */
export function parseExpect(reader: TokenReader): Command {
  const port = parsePort(reader);
  if (reader.atEnd) return { kind: 'expect', port, pattern: undefined };
  const digits = parseDigits(reader);
  const exact = reader.takes('$');
  return { kind: 'expect', port, pattern: { digits, exact } };
}

function parsePort(reader: TokenReader): number {
  const isDecimal = /^\d+$/.test(reader.peek()?.text ?? '');
  return isDecimal ? Number(reader.data()) : reader.fail('a port (decimal) before the data');
}

function parseDigits(reader: TokenReader): string {
  let digits = '';
  while (reader.peek()?.kind === 'data') digits += reader.data();
  return digits.toUpperCase();
}
