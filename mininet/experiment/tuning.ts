import { InputError } from '../../common/errors';
import { asOption } from '../../host-agent/settings/refusal';
import { optionOf } from '../../host-agent/settings/setting';
import type { SettingName, Settings } from '../../host-agent/settings/settings';
import { optionIn } from '../../host-agent/settings/words';
import type { ExperimentDocument, FlowDocument } from './experiment';
import type { ExperimentCase } from './load-experiment';

/** Two ways to say the additive increase of hosts. */
const INCREASE = ['waiBytes', 'expectedFlows'] as const satisfies readonly SettingName[];
export type AdditiveIncrease = Pick<Settings, (typeof INCREASE)[number]>;

/** N of an experiment that says neither N nor W_ai. */
const EXPECTED_FLOWS = 100;

type Tuning = AdditiveIncrease &
  Pick<ExperimentDocument['algorithm'], 'targetUtilization' | 'maxStage'>;

/**
 * Tuning of HPCC++ by the document's `algorithm`. W_ai and N stand for each other: whichever options say takes
 * the place of both.
 */
export function tuningOf(
  { targetUtilization, maxStage, waiBytes, expectedFlows }: ExperimentDocument['algorithm'],
  options: readonly string[],
): Tuning {
  const common = { targetUtilization, maxStage };
  if (INCREASE.some((name) => optionIn(options, name) !== undefined)) return common;
  if (waiBytes !== undefined) return { ...common, waiBytes };
  return { ...common, expectedFlows: expectedFlows ?? EXPECTED_FLOWS };
}

/**
 * The case with the additive increase that a command was given, for all its hosts.
 * @throws InputError if no flow has an algorithm that it is about.
 */
export function withIncrease(own: ExperimentCase, increase: AdditiveIncrease): ExperimentCase {
  const [asked] = INCREASE.filter((name) => increase[name] !== undefined);
  if (asked === undefined) return own;
  const { document } = own;
  const flows = document.flows.filter(({ kind }) => kind === 'hpcc');
  if (!flows.some((flow) => isHpccpp(document, flow))) {
    const what = `it is about flows of kind hpcc under hpccpp`;
    throw new InputError(
      `${optionOf(asked)} would have no effect on ${document.experiment}: ${what}`,
    );
  }
  const { waiBytes: _, expectedFlows: __, ...algorithm } = document.algorithm;
  return {
    ...own,
    document: {
      ...document,
      algorithm: { ...algorithm, ...increase },
      options: withoutIncrease(document.options),
      flows: document.flows.map(plain),
    },
  };
}

/**
 * Refuses two values of the additive increase.
 * @param set texts of `--set`.
 */
export function checkIncrease(
  { waiBytes, expectedFlows }: AdditiveIncrease,
  set: readonly string[],
): void {
  if (waiBytes !== undefined && expectedFlows !== undefined) {
    throw new InputError('--wai-bytes is what follows from --expected-flows: give one of them');
  }
  const asked = waiBytes === undefined ? expectedFlows : waiBytes;
  if (asked === undefined || !set.some((text) => text.startsWith('flowsExpected='))) return;
  const name = waiBytes === undefined ? 'expectedFlows' : 'waiBytes';
  throw new InputError(
    `--set flowsExpected says N, and so does ${asOption(name)}: give one of them`,
  );
}

function isHpccpp({ options }: ExperimentDocument, flow: FlowDocument): boolean {
  const both = flow.kind === 'hpcc' ? flow.bothOptions : [];
  const words = [...options, ...both, ...flow.options];
  return (optionIn(words, 'algorithm') ?? 'hpccpp') === 'hpccpp';
}

function plain(flow: FlowDocument): FlowDocument {
  if (flow.kind !== 'hpcc') return flow;
  const { options, bothOptions } = flow;
  return { ...flow, options: withoutIncrease(options), bothOptions: withoutIncrease(bothOptions) };
}

function withoutIncrease(words: readonly string[]): string[] {
  const names: readonly string[] = INCREASE.map(optionOf);
  return words.filter((word, i) => !names.includes(word) && !names.includes(words[i - 1] ?? ''));
}
