import { z } from 'zod';
import { parseLocated } from '../../common/document/located-document';
import type { LocatedDocument } from '../../common/document/located-document';
import { figureFault } from './figures';

/**
 * A study: one scenario, what is varied in it, how often, and what is kept of every run. Paths are keys
 * and indexes of the scenario document, parted by dots, such as `parameters.eta` or `workloads.0.load`.
 */
const PATH = /^[A-Za-z0-9_$-]+(\.[A-Za-z0-9_$-]+)*$/;
const scenarioPath = z.string().regex(PATH, 'must be keys and indexes parted by dots');

/** Values of one axis at most: a slip of the pen in a step would ask for all memory. */
const AXIS_VALUES_MAX = 1_000_000;

const range = z
  .strictObject({
    from: z.number().describe('First value.'),
    to: z.number().describe('Last value.'),
    step: z.number().positive().optional().describe('Distance of values.'),
    count: z
      .number()
      .int()
      .min(2)
      .max(AXIS_VALUES_MAX)
      .optional()
      .describe('Number of values, both ends included.'),
  })
  .refine(({ from, to }) => from <= to, 'must not end before it begins')
  .refine(
    ({ step, count }) => (step === undefined) !== (count === undefined),
    'must have either step or count',
  )
  .refine(
    ({ from, to, step = Infinity }) => (to - from) / step < AXIS_VALUES_MAX,
    `must have at most ${AXIS_VALUES_MAX} values`,
  );

const axis = z
  .strictObject({
    path: scenarioPath.describe(
      'What is varied: keys and indexes of the scenario, parted by dots.',
    ),
    values: z.array(z.unknown()).min(1).max(AXIS_VALUES_MAX).optional().describe('The values.'),
    range: range.optional().describe('Values at equal distances, in place of a list.'),
    labels: z
      .array(z.string().min(1))
      .optional()
      .describe('Names of the values in tables and charts, since values may be whole topologies.'),
  })
  .refine(
    ({ values, range: between }) => (values === undefined) !== (between === undefined),
    'must have either values or range',
  )
  .refine(
    ({ labels, values }) => labels === undefined || labels.length === values?.length,
    'labels must be as many as values',
  );

/** Axes that go together: the first values of all, then the second ones. */
const zipped = z.strictObject({
  zip: z
    .array(axis)
    .min(2)
    .describe('Axes that go together: the first values of all, then the second ones.'),
});

const SEEDS_MAX = 1_000_000;
const seed = z.number().int().nonnegative();
const seeds = z.union([
  seed.min(1).max(SEEDS_MAX),
  z.array(seed).min(1),
  z.strictObject({
    from: seed.describe('First seed.'),
    count: z.number().int().min(1).max(SEEDS_MAX).describe('Number of seeds.'),
  }),
]);

const figure = z.string().superRefine((path, context) => {
  const fault = figureFault(path);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

const plot = z.strictObject({
  figure: z.string().describe('Figure of the vertical axis, one of figures.'),
  x: z.string().optional().describe('Axis along the bottom; the first one unless given.'),
  lines: z
    .string()
    .optional()
    .describe('Axis whose values are lines of one chart; the second one unless given.'),
  logarithmic: z.boolean().default(false).describe('True for a logarithmic vertical axis.'),
});

const limits = z.strictObject({
  memoryMb: z
    .number()
    .int()
    .min(64)
    .max(1_000_000)
    .default(2048)
    .describe('Memory of one run in MB, heap and buffers together.'),
  timeoutSeconds: z.number().positive().max(36_000).default(3600).describe('Real time of one run.'),
});

export const studySchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'must be letters, digits, - or _')
      .describe('Name of the study, in results and folders.'),
    title: z.string().min(1).optional().describe('One line for people.'),
    base: z
      .string()
      .min(1)
      .optional()
      .describe('Name of a scenario of the catalogue, or a file beside the study.'),
    scenario: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('A scenario in place of a base: at least `topology`, and `flows` or `workloads`.'),
    axes: z
      .array(z.union([axis, zipped]))
      .default([])
      .describe('What is varied; cells are all combinations of values.'),
    seeds: seeds
      .default(1)
      .describe('Seeds of each cell: their number from 1 on, a list, or a range.'),
    figures: z
      .array(figure)
      .min(1)
      .describe(
        'Paths of the result, such as `fctUs.median`; `*` stands for every element of a list.',
      ),
    plots: z.array(plot).default([]).describe('Charts of the page.'),
    limits: limits.prefault({}).describe('Memory and time of one run.'),
    judge: z
      .string()
      .min(1)
      .optional()
      .describe(
        'A file beside the study with laws and figures of its own, for figures below `judged`.',
      ),
    checkInvariants: z
      .boolean()
      .default(true)
      .describe('True: runs check for broken laws, which costs time.'),
  })
  .refine(
    ({ base, scenario }) => (base === undefined) !== (scenario === undefined),
    'must have either base or scenario',
  )
  .superRefine(checkNames);

export type StudyDocument = z.output<typeof studySchema>;
export type AxisDocument = z.output<typeof axis>;
export type AxisEntry = StudyDocument['axes'][number];
export type StudyLimits = StudyDocument['limits'];

/** The axes of one entry of the list: one, or several that go together. */
export const axesOf = (entry: AxisEntry): readonly AxisDocument[] =>
  'zip' in entry ? entry.zip : [entry];

/** Paths of all axes, in the order of a point's values. */
export const axisPaths = ({ axes }: StudyDocument): string[] =>
  axes.flatMap(axesOf).map(({ path }) => path);

/** Checks that every name refers to something, and that nothing is varied twice. */
function checkNames(study: z.output<typeof studySchema>, context: z.RefinementCtx): void {
  const paths = study.axes.flatMap(axesOf).map(({ path }) => path);
  const fault = (path: (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path, message });
  study.axes.forEach((entry, i) => {
    if (axesOf(entry).some(({ path }) => paths.indexOf(path) !== paths.lastIndexOf(path))) {
      fault(['axes', i], 'must vary a path that no other axis varies');
    }
  });
  study.plots.forEach(({ figure: shown, x, lines }, i) => {
    if (!study.figures.includes(shown)) fault(['plots', i, 'figure'], 'must be one of figures');
    for (const [key, path] of Object.entries({ x, lines })) {
      if (path === undefined || paths.includes(path)) continue;
      fault(
        ['plots', i, key],
        `must be the path of an axis: ${paths.join(', ') || 'there is none'}`,
      );
    }
  });
}

/** Reads a study from YAML or JSON text. Every error names file, line, path and expectation. */
export function parseStudy(text: string, file: string): LocatedDocument<StudyDocument> {
  return parseLocated<StudyDocument>(text, file, studySchema, 'study');
}
