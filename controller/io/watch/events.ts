import type { Tally } from '../../plan/switch-plan';

/** What happens at a switch that is being watched. */
export type KeeperEvent =
  | { readonly kind: 'connected' }
  /** This controller leads and may write. */
  | { readonly kind: 'primary'; readonly electionId: bigint }
  /** Another controller leads. */
  | { readonly kind: 'backup'; readonly highest: bigint | undefined }
  /** The switch holds everything; the numbers are what that took. */
  | {
      readonly kind: 'reconciled';
      readonly programLoaded: boolean;
      readonly updates: Tally;
      readonly queues: number;
      readonly milliseconds: number;
    }
  /** The switch has refused some updates. */
  | { readonly kind: 'incomplete'; readonly refused: number; readonly reason: string }
  /** The connection or a call has failed; it will be tried again. */
  | { readonly kind: 'failed'; readonly reason: string; readonly retryMs: number };

/** Told of everything that happens, by the name of the switch. */
export type KeeperObserver = (name: string, event: KeeperEvent) => void;
