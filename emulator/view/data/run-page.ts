import { droppedBySwitches, lostOnLinks } from '../../result/losses';
import { flowSumsOf } from '../../result/flow-totals';
import type { Result } from '../../result/result';
import type { ContrastRun } from './contrast';
import { contrastCharts } from './contrast';
import { coordinationSections } from './coordination-sections';
import { flowGroups } from './flow-groups';
import { networkOf } from '../network/network';
import type { Fact, FlowView, PageData, PageSection, RunView, Subject } from './page-data';
import { parameterSection } from './parameter-section';
import { rankLanes } from './rank-lanes';
import { runCharts } from './run-charts';
import type { Detail } from './run-charts';
import { timeScale } from './scale';
import { figureAt } from '../../figures/dictionary';
import { figureColumns } from '../../figures/figure-columns';
import { figureText } from '../../figures/figure-text';
import { slowdownSections } from './slowdown-chart';
import { isQueueSampled, verdictOf } from './verdict';
import { traceSections } from './trace-sections';
import { resultWarnings, warningSections } from './warnings';
import { cycleText, deadlockTitle, losslessLines } from '../../result/lossless-lines';
import type { LosslessRecord } from '../../result/lossless-record';

/** Content of a run's page beyond its result. */
export interface PageExtras {
  readonly subtitle?: string;
  /** Command line that made the result; default: one that runs the scenario again. */
  readonly command?: string;
  /** Reason not to believe the figures, or how a run stands to its bars; before the sentence that sums it up. */
  readonly validity?: string;
  /** In place of those of a finished run. */
  readonly facts?: readonly Fact[];
  readonly sections?: readonly PageSection[];
  /** Sections behind the charts. */
  readonly closing?: readonly PageSection[];
  /** Runs to be set beside each other at the head of the page. */
  readonly contrast?: readonly ContrastRun[];
}

/** A run has a thousand flows; its table has the first ones. */
const FLOWS_SHOWN = 2000;

/** Everything that a page shows of one result. */
export function runPage(result: Result, extras: PageExtras = {}, detail?: Detail): PageData {
  const { scenario, seed } = result;
  const { contrast } = extras;
  return {
    title: scenario.title,
    subtitle: extras.subtitle ?? subtitle(result),
    command: extras.command ?? `./hpcc run ${scenario.name} --seed ${seed}`,
    ...(extras.facts === undefined && { verdict: verdictText(result, extras) }),
    facts: extras.facts ?? tilesOf(result, contrast),
    ...(contrast !== undefined && { leading: contrastCharts(contrast) }),
    opening: [
      ...interruption(result),
      ...violations(result),
      ...unfinished(result),
      ...uncontrolled(result),
      ...deadlockSections(result),
      ...warningSections(resultWarnings(result)),
      ...(extras.sections ?? []),
    ],
    charts: runCharts(result, detail),
    closing: [
      ...(extras.closing ?? []),
      ...about('Ranks and collectives', traceSections(result)),
      ...about('Coordination', coordinationSections(result)),
      ...about('Queues, losses and feedback', losslessSections(result)),
      ...slowdownSections(result),
      ...about('Figures and settings', [figureSection(result), parameterSection(result)]),
    ],
    run: runView(result),
  };
}

function runView(result: Result): RunView {
  const { durationUs, flows, causes } = result;
  const { unit, factor } = timeScale(result);
  const shown = flows.slice(0, FLOWS_SHOWN);
  const ranks = rankLanes(result);
  return {
    durationUs,
    timeUnit: unit,
    timeFactor: factor,
    network: networkOf(result),
    flows: flowViews(result, shown),
    flowsOmitted: flowSumsOf(result).flows - shown.length,
    ...(ranks.length > 0 && { ranks }),
    ...(causes !== undefined && { causes }),
  };
}

function flowViews({ flows }: Result, shown: Result['flows']): FlowView[] {
  const groupOf = flowGroups(flows);
  return shown.map((flow) => {
    const { id, source, destination, bytes, startUs, fctUs, slowdown } = flow;
    const { deliveredBytes, retransmittedSegments } = flow;
    return {
      id,
      source,
      destination,
      bytes,
      startUs,
      fctUs,
      slowdown,
      deliveredBytes,
      retransmittedSegments,
      group: groupOf(flow),
    };
  });
}

function subtitle({ generator, seed, durationUs }: Result): string {
  return (
    `Virtual time: ${figureText(figureAt('durationUs'), durationUs)}. Every packet crossed the compiled P4 program ` +
    `${generator.p4Program} (${generator.executor}, ${generator.queueModel}). Seed ${seed}.`
  );
}

function interruption({ interruptedAtUs }: Result): PageSection[] {
  if (interruptedAtUs === undefined) return [];
  const when = `after ${figureText(figureAt('interruptedAtUs'), interruptedAtUs)} of virtual time`;
  return [{ title: `Interrupted ${when}: what follows is incomplete`, tone: 'bad' }];
}

function violations({ violations: broken }: Result): PageSection[] {
  return broken.length === 0 ? [] : [{ title: 'Broken invariants', text: broken, tone: 'bad' }];
}

function unfinished({ unfinished: text }: Result): PageSection[] {
  return text === undefined ? [] : [{ title: 'Unfinished flows', text: [text], tone: 'bad' }];
}

function uncontrolled({ uncontrolled: text }: Result): PageSection[] {
  return text === undefined ? [] : [{ title: 'Flows without control', text: [text], tone: 'bad' }];
}

const about = (subject: Subject, sections: readonly PageSection[]): PageSection[] =>
  sections.map((section) => ({ ...section, subject }));

/** The run in a sentence, by its name where another is beside it. */
function verdictText(result: Result, { contrast = [], validity }: PageExtras): string {
  const own = contrast.find((run) => run.result === result);
  const text = own === undefined ? verdictOf(result) : `${own.label}: ${verdictOf(result)}`;
  return validity === undefined ? text : `${validity}. ${text}`;
}

/** Three figures at the head of a page, each with that of the run to compare with. */
function tilesOf(result: Result, contrast: readonly ContrastRun[] = []): Fact[] {
  const baseline = contrast.find((run) => run.result !== result);
  const others = baseline === undefined ? [] : headFacts(baseline.result);
  return headFacts(result).map(([value, label], i) => {
    const other = others[i]?.[0];
    return other === undefined ? [value, label] : [value, label, `${baseline?.label}: ${other}`];
  });
}

const headFacts = (result: Result): Fact[] => [
  peakFact(result.bottleneck),
  factOf('fctUs.median', result.fctUs?.median),
  ...lossFacts(result),
];

/** Drops of switches, and what links lost where they did. */
const lossFacts = (result: Result): Fact[] => [
  factOf('compare.drops', droppedBySwitches(result)),
  ...(lostOnLinks(result) === 0 ? [] : [factOf('compare.lostOnLinks', lostOnLinks(result))]),
];

const figureSection = (result: Result): PageSection => ({
  title: 'Figures',
  rows: [['figure', 'value'], ...factsOf(result).map(([value, label]) => [label, value])],
});

/** The figures of a run. */
export function factsOf(result: Result): Fact[] {
  const { bottleneck, fctUs, jain, counters, reordering, trimming } = result;
  return [
    ...queueFacts(bottleneck),
    factOf('bottleneck.utilization', bottleneck.utilization),
    factOf('fctUs.median', fctUs?.median),
    factOf('jain', jain),
    ...lossFacts(result),
    ...(reordering === undefined
      ? []
      : [
          factOf('reordering.packets', reordering.packets),
          factOf('reordering.share', reordering.share),
          factOf('reordering.maxBytes', reordering.maxBytes),
        ]),
    ...(trimming === undefined
      ? []
      : [factOf('trimming.headers', trimming.headers), factOf('trimming.share', trimming.share)]),
    factOf('counters.packetHops', counters.packetHops),
  ];
}

const NOT_SAMPLED = 'not sampled';

const peakFact = (bottleneck: Result['bottleneck']): Fact =>
  isQueueSampled(bottleneck)
    ? factOf('bottleneck.queuePeakBytes', bottleneck.queuePeakBytes)
    : [NOT_SAMPLED, figureAt('bottleneck.queuePeakBytes').name];

function queueFacts(bottleneck: Result['bottleneck']): Fact[] {
  const { drainedAtUs } = bottleneck;
  const none = isQueueSampled(bottleneck) ? 'never' : NOT_SAMPLED;
  return [
    peakFact(bottleneck),
    drainedAtUs === null
      ? [none, figureAt('bottleneck.drainedAtUs').name]
      : factOf('bottleneck.drainedAtUs', drainedAtUs),
  ];
}

/** A figure of the dictionary as a tile: its value with unit, and its name. */
export const factOf = (path: string, value: number | null | undefined): Fact => {
  const figure = figureAt(path);
  return [figureText(figure, value), figure.name];
};

/** More lines than this are for `result.json`. */
const LINES_MAX = 200;

/** Circles of links that stood still: nothing else on the page matters as much. */
const deadlockSections = ({ lossless }: Result): PageSection[] =>
  (lossless?.deadlocks ?? []).map((each) => ({
    title: `A ${deadlockTitle(each)}`,
    text: [cycleText(each)],
    tone: 'bad',
  }));

/** Sections of a report on shared memory and pauses; empty where there are none. */
function losslessSections({ lossless }: Result): PageSection[] {
  if (lossless === undefined) return [];
  const figures: PageSection = {
    title: 'Shared memory and pauses',
    rows: [['', ''], ...losslessLines(lossless)],
  };
  return [figures, ...linkSections(lossless), ...victimSections(lossless)];
}

function linkSections({ links }: LosslessRecord): PageSection[] {
  if (links.length === 0) return [];
  const longest = links.toSorted((a, b) => b.pausedUs - a.pausedUs).slice(0, LINES_MAX);
  const cells = figureColumns(longest, [
    { path: 'lossless.links.*.pauses', of: ({ pauses }) => pauses },
    { path: 'lossless.links.*.pausedUs', of: ({ pausedUs }) => pausedUs },
  ]);
  const names = ['link', ...longest.map(({ name }) => name)];
  return [{ title: 'Paused links', rows: names.map((name, i) => [name, ...(cells[i] ?? [])]) }];
}

function victimSections({ flows }: LosslessRecord): PageSection[] {
  const victims = flows.filter(({ victimUs }) => victimUs > 0).slice(0, LINES_MAX);
  if (victims.length === 0) return [];
  const cells = figureColumns(victims, [
    { path: 'lossless.flows.*.id', of: ({ id }) => id },
    { path: 'lossless.flows.*.heldUs', of: ({ heldUs }) => heldUs },
    { path: 'lossless.flows.*.victimUs', of: ({ victimUs }) => victimUs },
  ]);
  const because = ['because of', ...victims.map((each) => each.because.join(', '))];
  const rows = cells.map((row, i) => [...row, because[i] ?? '']);
  return [{ title: 'Victims of pauses', rows }];
}
