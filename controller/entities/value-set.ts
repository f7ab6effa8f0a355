import type { Match } from './match';

/** All members of a parser value set. */
export interface ValueSet {
  readonly kind: 'value-set';
  readonly valueSet: string;
  readonly members: readonly Match[];
}
