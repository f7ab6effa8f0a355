import type { Verdict } from './clause';

/** A clause by its name, and the heading that it stands under in its specification. */
export interface ClauseName {
  readonly clause: string;
  readonly section: string;
}

/** The name of a clause, without its check. */
export const named = ({
  name,
  section,
}: {
  readonly name: string;
  readonly section: string;
}): ClauseName => ({
  clause: name,
  section,
});

export const pass = (name: ClauseName): Verdict => ({ ...name, verdict: 'pass' });
export const fail = (name: ClauseName, reason: string): Verdict => ({
  ...name,
  verdict: 'fail',
  reason,
});
