import type { Program } from './nodes';

/**
 * PERF: a fabric gives one program to all its switches, and each of them reads it three times, which
 * takes a quarter of a second for a large one. Nodes are never changed, so all may have the same.
 */
let latest: { readonly text: string; readonly program: Program } | undefined;

/** The program of a text, if this text was read last. */
export const rememberedProgram = (text: string): Program | undefined =>
  latest?.text === text ? latest.program : undefined;

/** Remembers a program that was read, perhaps elsewhere, for the next read of the same text. */
export function rememberProgram(text: string, program: Program): void {
  latest = { text, program };
}
