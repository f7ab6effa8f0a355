import { telemetrySchema } from '../../controller/document/schema';
import type { ExperimentCase } from '../experiment/load-experiment';
import type { ExpandedNetwork } from './network-text';

/** File in the output folder with the keys by which hosts verify answers of switches. */
export const ANSWER_KEY_FILE = 'answer-keys.json';

/** Text of {@link ANSWER_KEY_FILE}; undefined where switches sign no answers. */
export function answerKeys({ text }: ExpandedNetwork): string | undefined {
  const signing = telemetrySchema.parse(text.telemetry ?? {}).feedback?.signing;
  if (signing === undefined) return undefined;
  const { key, keys } = signing;
  const all = Object.fromEntries([key, ...keys].map(({ id, bytes }) => [id, bytes]));
  return `${JSON.stringify(all)}\n`;
}

/** Adds the option by which hosts verify signed answers, to all flows that request answers. */
export function withAnswerKeys(
  own: ExperimentCase,
  network: ExpandedNetwork,
  folder: string,
): ExperimentCase {
  if (answerKeys(network) === undefined) return own;
  const { document } = own;
  const completed = (options: readonly string[]): string[] =>
    options.includes('--switch-responses')
      ? ['--answer-keys', `${folder}/${ANSWER_KEY_FILE}`, ...options]
      : [...options];
  const flows = document.flows.map((flow) => ({ ...flow, options: completed(flow.options) }));
  return { ...own, document: { ...document, options: completed(document.options), flows } };
}
