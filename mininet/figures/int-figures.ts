import { figureAt } from '../../emulator/figures/dictionary';
import { figureText } from '../../emulator/figures/figure-text';
import type { FigureName } from '../experiment/experiment';
import type { Observation } from '../observation/observation';
import { toldPaths } from '../observation/told-paths';
import type { ToldHop, ToldPath } from '../observation/told-paths';

/** Names of the figures that a collector's output has; all others are of hosts, links and switches. */
type IntFigure = Extract<
  FigureName,
  'telemetryReports' | 'reportGaps' | 'undecodedReports' | 'wrongPaths' | 'implausibleHops'
>;

type IntFigures = Readonly<Record<IntFigure, number | null>>;

/** Figures of what a collector of telemetry reports has found; null without a collector. */
export function intFigures(observation: Observation): IntFigures {
  const datagrams = observation.collected?.datagrams;
  const paths = toldPaths(observation);
  return {
    telemetryReports: datagrams?.datagrams ?? null,
    reportGaps: datagrams?.lost ?? null,
    undecodedReports: datagrams?.faults ?? null,
    wrongPaths: paths?.filter(({ fault }) => fault !== undefined).length ?? null,
    implausibleHops: paths?.reduce((sum, each) => sum + each.implausibleHops, 0) ?? null,
  };
}

/** Figures of runs without reports, such as those in virtual time. */
export const NO_INT_FIGURES: IntFigures = {
  telemetryReports: null,
  reportGaps: null,
  undecodedReports: null,
  wrongPaths: null,
  implausibleHops: null,
};

/** A row for each hop of each flow: where, how long, how many bytes waited, and what the topology says of the path. */
export function pathTable(paths: readonly ToldPath[]): string[][] {
  return [
    ['flow', 'reports', 'hop', 'latency', 'longest', 'queue', 'longest', 'path'],
    ...paths.flatMap(pathRows),
  ];
}

function pathRows({ flow, reports, hops, fault }: ToldPath): string[][] {
  const verdict = fault === undefined ? 'right' : `WRONG: ${fault}`;
  if (hops.length === 0) return [[flow, String(reports), '', '', '', '', '', verdict]];
  return hops.map((hop, i) =>
    i === 0 ? [flow, String(reports), ...hopCells(hop), verdict] : ['', '', ...hopCells(hop), ''],
  );
}

const HOP_LATENCY = figureAt('int.hops.*.latencyUs');
const HOP_QUEUE = figureAt('int.hops.*.queueBytes');

function hopCells({ node, ingressPort, egressPort, latencyNs, queueBytes }: ToldHop): string[] {
  const us = (ns: number | undefined): string =>
    ns === undefined ? 'not told' : figureText(HOP_LATENCY, ns / 1000);
  const bytes = (value: number | undefined): string =>
    value === undefined ? 'not told' : figureText(HOP_QUEUE, value);
  return [
    `${ingressPort ?? '?'}>${node}>${egressPort ?? '?'}`,
    us(latencyNs?.mean),
    us(latencyNs?.max),
    bytes(queueBytes?.mean),
    bytes(queueBytes?.max),
  ];
}
