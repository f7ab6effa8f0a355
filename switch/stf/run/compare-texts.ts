import type { Mismatch } from './compare';

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
