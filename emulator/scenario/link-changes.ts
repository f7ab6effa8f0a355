import type { EventDocument } from './data-plane-schema';

/** One change of a link at an instant. */
export interface LinkChange {
  readonly atUs: number;
  readonly between: readonly [string, string];
  /** The link goes down or up, or loses this share of its packets from now on. */
  readonly change: { readonly up: boolean } | { readonly lossRate: number };
}

/** The changes that an event of a scenario stands for, in the order of time. */
export function changesOf({ atUs, between, state, lossRate, flaps }: EventDocument): LinkChange[] {
  if (lossRate !== undefined) return [{ atUs, between, change: { lossRate } }];
  if (flaps === undefined) return [{ atUs, between, change: { up: state === 'up' } }];
  return Array.from({ length: flaps.times }, (_, i) => atUs + i * flaps.everyUs).flatMap((at) => [
    { atUs: at, between, change: { up: false } },
    { atUs: at + flaps.downUs, between, change: { up: true } },
  ]);
}
