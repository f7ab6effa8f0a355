import type { Result } from '../record/result';
import { chartsOf } from './charts';
import type { Chart } from './chart';

/**
 * A self-contained page for one result: no network, no other file.
 *
 * @param echarts the text of the minified ECharts library, put into the page.
 */
export function renderReport(result: Result, echarts: string): string {
  const charts = chartsOf(result);
  const options = charts.map(({ id, option }) => ({ id, option }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(result.scenario.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escape(result.scenario.title)}</h1>
<p class="sub">${escape(subtitle(result))}</p>
${violationsBox(result)}
<div class="facts">${factsOf(result).map(factCard).join('')}</div>
${charts.map(chartSection).join('\n')}
<section><h2>Flows</h2>${flowTable(result)}</section>
<section><h2>Parameters and versions</h2>${parameterTable(result)}</section>
</main>
<script>${inScript(echarts)}</script>
<script>
for (const { id, option } of ${inScript(JSON.stringify(options))}) {
  const chart = echarts.init(document.getElementById(id), undefined, { renderer: 'canvas' });
  chart.setOption(option);
  addEventListener('resize', () => chart.resize());
}
</script>
</body>
</html>
`;
}

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; color: #1d2733; background: #f5f6f8; margin: 0; }
main { max-width: 1080px; margin: 0 auto; padding: 24px; }
h1 { margin: 0; font-size: 26px; } h2 { margin: 0; font-size: 18px; }
.sub, .caption { color: #5b6875; margin: 4px 0 12px; }
section { background: #fff; border: 1px solid #e1e5ea; border-radius: 8px; padding: 16px;
  margin: 16px 0; overflow-x: auto; }
.facts { display: flex; flex-wrap: wrap; gap: 12px; }
.fact { background: #fff; border: 1px solid #e1e5ea; border-radius: 8px; padding: 10px 16px; }
.fact b { display: block; font-size: 20px; } .fact span { color: #5b6875; font-size: 13px; }
table { border-collapse: collapse; font-size: 14px; } td, th { padding: 3px 12px; text-align: right;
  border-bottom: 1px solid #eceff2; } td:first-child, th:first-child { text-align: left; }
.violations { background: #fdecea; border-color: #c0392b; }
`;

const escape = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** Text inside a script element must not close it. */
const inScript = (text: string): string => text.replace(/<\/(script)/gi, '<\\/$1');

function subtitle({ generator, seed, durationUs }: Result): string {
  return (
    `Virtual time: ${durationUs.toFixed(1)} us. Every packet crossed the compiled P4 program ` +
    `${generator.p4Program} (${generator.executor}, ${generator.queueModel}). Seed ${seed}.`
  );
}

function violationsBox({ violations }: Result): string {
  if (violations.length === 0) return '';
  const items = violations.map((text) => `<li>${escape(text)}</li>`).join('');
  return `<section class="violations"><h2>Broken invariants</h2><ul>${items}</ul></section>`;
}

type Fact = readonly [value: string, label: string];

function factsOf(result: Result): Fact[] {
  const { bottleneck, fctUs, jain, counters } = result;
  const drops = Object.values(counters.drops).reduce((sum, n) => sum + n, 0);
  return [
    [`${(bottleneck.queuePeakBytes / 1000).toFixed(1)} KB`, 'peak queue'],
    [bottleneck.drainedAtUs === null ? 'never' : us(bottleneck.drainedAtUs), 'queue down to 5 KB'],
    [`${(bottleneck.utilization * 100).toFixed(1)} %`, 'utilisation of the bottleneck'],
    [fctUs === null ? '-' : us(fctUs.median), 'median FCT'],
    [jain === null ? '-' : jain.toFixed(4), "Jain's index"],
    [String(drops), 'drops'],
    [String(counters.packetHops), 'packet-hops'],
  ];
}

const us = (value: number): string => `${value.toFixed(1)} us`;

const factCard = ([value, label]: Fact): string =>
  `<div class="fact"><b>${escape(value)}</b><span>${escape(label)}</span></div>`;

function chartSection(chart: Chart): string {
  return `<section><h2>${escape(chart.title)}</h2><p class="caption">${escape(chart.caption)}</p>
<div id="${chart.id}" style="height:${chart.heightPx}px"></div></section>`;
}

function flowTable({ flows }: Result): string {
  const head =
    '<tr><th>flow</th><th>bytes</th><th>start (us)</th><th>FCT (us)</th><th>slowdown</th></tr>';
  const shown = flows.slice(0, 200);
  const rows = shown.map(
    (flow) =>
      `<tr><td>${flow.id}: ${escape(flow.source)} to ${escape(flow.destination)}</td>` +
      `<td>${flow.bytes}</td><td>${flow.startUs}</td>` +
      `<td>${flow.fctUs?.toFixed(1) ?? 'unfinished'}</td>` +
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
