import { parseLocated } from '../../common/document/located-document';
import { InputError } from '../../common/errors';
import { exchangeFault, withExchanges } from './exchange';
import { experimentSchema } from './experiment';
import type { ExperimentDocument } from './experiment';
import { declaredParameters, parameterValues, substitute } from './parameters';
import type { ParameterChoice, ParameterValues } from './parameters';

/** A text and where it comes from. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}

/** One run of an experiment, with all values in their places. */
export interface ExperimentCase {
  /** `only` where an experiment has no cases. */
  readonly name: string;
  readonly document: ExperimentDocument;
  readonly values: ParameterValues;
  /** False of a value between two steps of a ramp, which runs only where the ramp has ended there. */
  readonly isStep: boolean;
}

export const ONLY_CASE = 'only';

/**
 * Reads an experiment once for each of its cases.
 * @throws InputError naming file, line and path of every fault.
 */
export function loadCases(source: SourceText, choice: ParameterChoice): readonly ExperimentCase[] {
  const declared = declaredParameters(source.text, source.file);
  const base = parameterValues(declared, choice);
  const first = readDocument(source, base);
  return caseList(first, base, source.file).map(({ name, set, isStep = true }) => {
    // The values of a case win over those of the command line.
    const texts = Object.entries(set).map(([key, value]) => `${key}=${value}`);
    const values = parameterValues(declared, { ...choice, set: [...choice.set, ...texts] });
    return { name, values, isStep, document: readDocument(source, values) };
  });
}

interface CaseValues {
  readonly name: string;
  readonly set: ParameterValues;
  readonly isStep?: boolean;
}

function caseList(
  { cases, ramp }: ExperimentDocument,
  base: ParameterValues,
  file: string,
): readonly CaseValues[] {
  if (ramp === undefined) return cases ?? [{ name: ONLY_CASE, set: {} }];
  const { parameter, factor, steps, halvings } = ramp;
  const start = base[parameter];
  if (typeof start !== 'number') {
    throw new InputError(`${file}: ramp: '${parameter}' is no parameter with a number`);
  }
  const parts = 2 ** halvings;
  // Steps last, as a value between them that is rounded to one of them is that step.
  const isStep = new Map<number, boolean>();
  for (const wantsStep of [false, true]) {
    for (let i = 0; i <= (steps - 1) * parts; i++) {
      const value = Math.round(start * factor ** (i / parts));
      if ((i % parts === 0) === wantsStep) isStep.set(value, wantsStep);
    }
  }
  return [...isStep]
    .sort(([a], [b]) => a - b)
    .map(([value, step]) => ({
      name: `${parameter}-${value}`,
      set: { [parameter]: value },
      isStep: step,
    }));
}

function readDocument({ text, file }: SourceText, values: ParameterValues): ExperimentDocument {
  const { value, fault } = parseLocated(
    substitute(text, file, values),
    file,
    experimentSchema,
    'experiment',
  );
  value.flows.forEach((flow, i) => {
    if (flow.kind === 'hpcc' && (flow.seconds === undefined) === (flow.bytes === undefined)) {
      throw fault(['flows', i], 'give either seconds or bytes');
    }
    const wrong = flow.kind === 'exchange' ? exchangeFault(flow) : undefined;
    if (wrong !== undefined) throw fault(['flows', i], wrong);
    if (value.flows.some((other, j) => j < i && other.name === flow.name)) {
      throw fault(['flows', i, 'name'], `there are two flows '${flow.name}'`);
    }
  });
  return { ...value, flows: withExchanges(value.flows) };
}
