import type { BooleanExpression } from './expressions';

/** How a table chooses its successor; numbers are positions in the control's nodes, or END. */
export type TableSuccessor =
  | { readonly kind: 'hit-or-miss'; readonly hit: number; readonly miss: number }
  /** By the id of the action that ran; `otherwise` when none did. */
  | {
      readonly kind: 'by-action';
      readonly byAction: ReadonlyMap<number, number>;
      readonly otherwise: number;
    };

export type ControlNode =
  | {
      readonly kind: 'table';
      readonly name: string;
      readonly table: number;
      readonly next: TableSuccessor;
    }
  /** Runs an action without a table. */
  | {
      readonly kind: 'action-call';
      readonly name: string;
      readonly actionId: number;
      readonly next: number;
    }
  | {
      readonly kind: 'conditional';
      readonly name: string;
      /** P4 file and line, for people. */
      readonly source?: string | undefined;
      readonly condition: BooleanExpression;
      readonly whenTrue: number;
      readonly whenFalse: number;
    };
