import type { ExperimentCase } from '../experiment/load-experiment';

/** File in the output folder with the key of a run's feedback. */
export const FEEDBACK_KEY_FILE = 'feedback-keys.json';

/** Text of {@link FEEDBACK_KEY_FILE}. */
export const feedbackKeys = (key: Uint8Array): string =>
  `${JSON.stringify({ signing: 1, keys: { 1: Buffer.from(key).toString('hex') } })}\n`;

/** Adds the option by which hosts sign feedback, if the case has `signed`. */
export function withHostKeys(own: ExperimentCase, folder: string): ExperimentCase {
  const { document } = own;
  if (!document.signed) return own;
  const options = ['--keys', `${folder}/${FEEDBACK_KEY_FILE}`, ...document.options];
  return { ...own, document: { ...document, options } };
}
