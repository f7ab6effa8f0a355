import { firstSchemaFault } from '../../common/document/schema-faults';
import type { Outcome } from './cell';
import { SUMMARY_SCHEMA } from './summary';
import type { Summary } from './summary';

/** Keys that every summary has. */
const REQUIRED = Object.entries(SUMMARY_SCHEMA.shape)
  .filter(([, schema]) => !schema.safeParse(undefined).success)
  .map(([key]) => key);
const totals = SUMMARY_SCHEMA.shape.allFlows;

/**
 * Says why a text that somebody has stored is no summary; undefined for one that is.
 * PERF: keys and totals alone, since a study reads a hundred thousand of them.
 */
export function summaryFault(text: string): string | undefined {
  const no = 'what is stored as its summary is none:';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `${no} no JSON`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `${no} wanted an object`;
  }
  const missing = REQUIRED.find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) return `${no} ${missing} is missing`;
  const { error } = totals.safeParse((value as Summary).allFlows);
  return error && `${no} allFlows.${firstSchemaFault(error)}`;
}

/** The outcome as it may count: what is stored as a summary and is none makes it one that failed. */
export function checkedOutcome(outcome: Outcome): Outcome {
  const { summary, ...others } = outcome;
  const reason = summary === undefined ? undefined : summaryFault(summary);
  return reason === undefined ? outcome : { ...others, reason };
}
