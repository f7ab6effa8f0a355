import { WireFault } from '../fault';
import { baselineWords, emitIntBlock, readIntBlock } from './int-metadata';
import type { IntBlock, IntBlockLayout } from './int-metadata';

/**
 * The metadata stack of INT-MD, newest block first; metadata that only the source pushed is at the
 * bottom:
 *
 *     | newest block | ... | the source's block | source-only metadata |
 */
export interface IntStack {
  /** Newest first, as on the wire. */
  readonly blocks: readonly IntBlock[];
  readonly sourceOnly: Uint8Array;
}

/**
 * Reads the stack from `offset` to `end`. `sourceOnlyLength` is the domain's, in bytes. Refuses
 * blocks smaller than their instructions and stacks that are not a whole number of blocks.
 */
export function parseIntStack(
  bytes: Uint8Array,
  { offset, end }: { readonly offset: number; readonly end: number },
  layout: IntBlockLayout,
  sourceOnlyLength = 0,
): IntStack | WireFault {
  const { hopWords, instructionBitmap, timestampWords } = layout;
  const wanted = baselineWords(instructionBitmap, timestampWords);
  if (hopWords < wanted) {
    const reason = `hop ml must be at least ${wanted} words for its bitmap, found ${hopWords}`;
    return new WireFault('int-stack', offset, reason);
  }
  const stack = end - offset - sourceOnlyLength;
  const count = hopWords === 0 ? 0 : stack / (4 * hopWords);
  if (stack < 0 || count * hopWords * 4 !== stack || !Number.isInteger(count)) {
    const also = sourceOnlyLength === 0 ? '' : ` and ${sourceOnlyLength} of the source`;
    const reason = `a stack of ${end - offset} bytes is no blocks of ${4 * hopWords}${also}`;
    return new WireFault('int-stack', offset, reason);
  }
  const blocks: IntBlock[] = [];
  for (let i = 0; i < count; i++) {
    blocks.push(readIntBlock(bytes, offset + 4 * hopWords * i, layout));
  }
  return { blocks, sourceOnly: bytes.subarray(offset + stack, end) };
}

export const intStackLength = (stack: IntStack, { hopWords }: IntBlockLayout): number =>
  stack.blocks.length * hopWords * 4 + stack.sourceOnly.length;

export function emitIntStack(
  stack: IntStack,
  bytes: Uint8Array,
  offset: number,
  layout: IntBlockLayout,
): void {
  let at = offset;
  for (const block of stack.blocks) {
    emitIntBlock(block, bytes, at, layout);
    at += 4 * layout.hopWords;
  }
  bytes.set(stack.sourceOnly, at);
}
