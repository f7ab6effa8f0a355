import { FixedFormat } from '../fixed-format';

/** An entry of a stack of labels. */
export interface MplsLabel {
  readonly label: number;
  readonly trafficClass: number;
  /** The last entry of the stack. */
  readonly isBottom: boolean;
  readonly ttl: number;
}

/**
 * Label stack entry of MPLS (RFC 3032 section 2.1).
 *
 *     | label 20 | traffic class 3 | S 1 | TTL 8 |
 */
export const MPLS = new FixedFormat<MplsLabel>('mpls', {
  label: 20,
  trafficClass: 3,
  isBottom: 'flag',
  ttl: 8,
});
