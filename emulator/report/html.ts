import type { Result } from '../result/result';
import { chartsOf } from './charts';
import { coordinationSections } from './coordination-sections';
import { escape, renderPage } from './page';
import { slowdownSections } from './slowdown-chart';
import { digits, scaled, timeScale } from './scale';

/** What a report of a run outside virtual time says instead, or in addition. */
export interface ReportExtras {
  readonly subtitle: string;
  /** HTML of sections, before the charts. */
  readonly sections: readonly string[];
}

/**
 * A self-contained page for one result: no network, no other file.
 *
 * @param echarts the text of the minified ECharts library, put into the page.
 */
export function renderReport(result: Result, echarts: string, extras?: ReportExtras): string {
  const { scenario } = result;
  return renderPage(
    {
      title: scenario.title,
      subtitle: extras?.subtitle ?? subtitle(result),
      opening: [
        interruptionBox(result),
        violationsBox(result),
        `<div class="facts">${factsOf(result).map(factCard).join('')}</div>`,
        ...(extras?.sections ?? []),
      ],
      charts: chartsOf(result),
      closing: [
        ...coordinationSections(result, escape),
        ...slowdownSections(result),
        `<section><h2>Flows</h2>${flowTable(result)}</section>`,
        `<section><h2>Parameters and versions</h2>${parameterTable(result)}</section>`,
      ],
    },
    echarts,
  );
}

function subtitle({ generator, seed, durationUs }: Result): string {
  return (
    `Virtual time: ${durationUs.toFixed(1)} us. Every packet crossed the compiled P4 program ` +
    `${generator.p4Program} (${generator.executor}, ${generator.queueModel}). Seed ${seed}.`
  );
}

function interruptionBox({ interruptedAtUs }: Result): string {
  if (interruptedAtUs === undefined) return '';
  const when = `after ${interruptedAtUs.toFixed(1)} us of virtual time`;
  return `<section class="violations"><h2>Interrupted ${when}: what follows is incomplete</h2></section>`;
}

function violationsBox({ violations }: Result): string {
  if (violations.length === 0) return '';
  const items = violations.map((text) => `<li>${escape(text)}</li>`).join('');
  return `<section class="violations"><h2>Broken invariants</h2><ul>${items}</ul></section>`;
}

type Fact = readonly [value: string, label: string];

function factsOf(result: Result): Fact[] {
  const { bottleneck, fctUs, jain, counters } = result;
  const { drainedAtUs } = bottleneck;
  const time = timeScale(result);
  const drops = Object.values(counters.drops).reduce((sum, n) => sum + n, 0);
  return [
    [`${(bottleneck.queuePeakBytes / 1000).toFixed(1)} KB`, 'peak queue'],
    [drainedAtUs === null ? 'never' : scaled(drainedAtUs, time), 'queue down to 5 KB'],
    [`${(bottleneck.utilization * 100).toFixed(1)} %`, 'utilisation of the bottleneck'],
    [fctUs === null ? '-' : scaled(fctUs.median, time), 'median FCT'],
    [jain === null ? '-' : jain.toFixed(4), "Jain's index"],
    [String(drops), 'drops'],
    [String(counters.packetHops), 'packet-hops'],
  ];
}

const factCard = ([value, label]: Fact): string =>
  `<div class="fact"><b>${escape(value)}</b><span>${escape(label)}</span></div>`;

function flowTable(result: Result): string {
  const { flows } = result;
  const { unit, factor } = timeScale(result);
  const head =
    `<tr><th>flow</th><th>bytes</th><th>start (${unit})</th><th>FCT (${unit})</th>` +
    '<th>slowdown</th></tr>';
  const shown = flows.slice(0, 200);
  const rows = shown.map(
    (flow) =>
      `<tr><td>${flow.id}: ${escape(flow.source)} to ${escape(flow.destination)}</td>` +
      `<td>${flow.bytes}</td><td>${flow.startUs / factor}</td>` +
      `<td>${flow.fctUs === null ? 'unfinished' : digits(flow.fctUs, factor)}</td>` +
      `<td>${flow.slowdown?.toFixed(3) ?? ''}</td></tr>`,
  );
  const rest = flows.length - shown.length;
  return `<table>${head}${rows.join('')}</table>${rest > 0 ? `<p>and ${rest} more</p>` : ''}`;
}

function parameterTable({ parameters, generator, frames }: Result): string {
  const rows = Object.entries({ ...parameters, ...frames, ...generator }).map(
    ([name, value]) => `<tr><td>${escape(name)}</td><td>${escape(String(value))}</td></tr>`,
  );
  return `<table>${rows.join('')}</table>`;
}
