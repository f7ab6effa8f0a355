/** Result of a clause: undefined where it does not apply, else the sentence of what is wrong, or true. */
export type Finding = true | string | undefined;

/** A clause of a specification about what a device makes of something. */
export interface ClauseOf<Subject> {
  readonly name: string;
  /** Heading in the specification: the INT data plane, version 2.1, or Telemetry Report Format, version 2.0. */
  readonly section: string;
  readonly check: (subject: Subject) => Finding;
}

/** Verdict of one clause about one packet. */
export interface Verdict {
  readonly clause: string;
  readonly section: string;
  readonly verdict: 'pass' | 'fail' | 'not applicable';
  readonly reason?: string;
}

/** Applies clauses in their order. */
export const judgeBy = <Subject>(
  clauses: readonly ClauseOf<Subject>[],
  subject: Subject,
): Verdict[] =>
  clauses.map(({ name, section, check }) => {
    const found = check(subject);
    const place = { clause: name, section };
    if (found === undefined) return { ...place, verdict: 'not applicable' };
    return found === true
      ? { ...place, verdict: 'pass' }
      : { ...place, verdict: 'fail', reason: found };
  });

const text = (value: unknown): string => JSON.stringify(value) ?? 'none';

/** Compares two values. */
export const equal = (what: string, wanted: unknown, found: unknown): Finding =>
  text(wanted) === text(found) || `${what}: wanted ${text(wanted)}, found ${text(found)}`;

/** Passes without a fault. */
export const faultless = (fault: string | undefined): Finding => fault ?? true;
