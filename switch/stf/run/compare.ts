import type { PortPacket } from './requests';
import type { Pattern } from '../text/statements';

/** A packet that a test expects; without a pattern any packet will do. */
export interface Expectation {
  readonly line: number;
  readonly port: number;
  readonly pattern: Pattern | undefined;
}

/** The first difference between what a test expects and what came. */
export interface Mismatch {
  /** Line of the expectation; undefined for a packet that was not expected. */
  readonly line: number | undefined;
  readonly message: string;
}

/**
 * Compares what left with what was expected: at each port the same number of packets, equal pair
 * by pair in their order; ports know no order among each other. Ports that the test does not name
 * are not looked at.
 * @param ports ports that the test names.
 * @returns the first difference, by port and then by order.
 */
export function comparePackets(
  expectations: readonly Expectation[],
  packets: readonly PortPacket[],
  ports: Iterable<number>,
): Mismatch | undefined {
  for (const port of [...new Set(ports)].sort((a, b) => a - b)) {
    const mismatch = comparePort(
      port,
      expectations.filter((each) => each.port === port),
      packets.filter((each) => each.port === port).map(({ bytes }) => toHex(bytes)),
    );
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

/** Bytes as the hexadecimal digits that patterns are written in. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();

/** First position at which a packet is not what the pattern says, in digits. */
function firstDifference({ digits, exact }: Pattern, packet: string): number | undefined {
  for (let i = 0; i < digits.length; i++) {
    if (i >= packet.length || (digits[i] !== '*' && digits[i] !== packet[i])) return i;
  }
  return exact && packet.length > digits.length ? digits.length : undefined;
}

function comparePort(
  port: number,
  expectations: readonly Expectation[],
  packets: readonly string[],
): Mismatch | undefined {
  const count = Math.max(expectations.length, packets.length);
  for (let i = 0; i < count; i++) {
    const what = `packet ${i + 1} at port ${port}`;
    const mismatch = comparePair(what, expectations[i], packets[i]);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function comparePair(
  what: string,
  expectation: Expectation | undefined,
  packet: string | undefined,
): Mismatch | undefined {
  if (expectation === undefined) {
    return { line: undefined, message: `${what}:${bothSides('none', packet ?? 'none')}` };
  }
  const { line, pattern } = expectation;
  const wanted = pattern === undefined ? 'any' : pattern.digits + (pattern.exact ? ' $' : '');
  if (packet === undefined) return { line, message: `${what}:${bothSides(wanted, 'none')}` };
  if (pattern === undefined) return undefined;
  const at = firstDifference(pattern, packet);
  if (at === undefined) return undefined;
  const message = `${what} differs from digit ${at + 1} on:${bothSides(wanted, packet)}`;
  return { line, message };
}

const bothSides = (wanted: string, found: string): string =>
  `\n  wanted ${wanted}\n  found  ${found}`;

/** A text that a test expects: a message or a digest. */
export interface ExpectedText {
  readonly line: number;
  readonly text: string;
}

/** Compares texts pair by pair in their order; `what` names them in the message. */
export function compareTexts(
  what: string,
  expected: readonly ExpectedText[],
  found: readonly string[],
): Mismatch | undefined {
  const count = Math.max(expected.length, found.length);
  for (let i = 0; i < count; i++) {
    const [wanted, actual] = [expected[i], found[i]];
    if (wanted?.text === actual) continue;
    const sides = `\n  wanted ${wanted?.text ?? 'none'}\n  found  ${actual ?? 'none'}`;
    return { line: wanted?.line, message: `${what} ${i + 1}:${sides}` };
  }
  return undefined;
}
