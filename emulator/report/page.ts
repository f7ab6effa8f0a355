import type { EChartsOption } from 'echarts';

export interface Chart {
  readonly id: string;
  readonly title: string;
  /** One sentence on how to read it. */
  readonly caption: string;
  readonly heightPx: number;
  readonly option: EChartsOption;
}

/** What a page shows, from top to bottom; openings and closings are HTML. */
export interface Page {
  readonly title: string;
  readonly subtitle: string;
  readonly opening: readonly string[];
  readonly charts: readonly Chart[];
  readonly closing: readonly string[];
}

/**
 * A self-contained page: no network, no other file.
 *
 * @param echarts the text of the minified ECharts library, put into the page.
 */
export function renderPage(page: Page, echarts: string): string {
  const options = page.charts.map(({ id, option }) => ({ id, option }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(page.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escape(page.title)}</h1>
<p class="sub">${escape(page.subtitle)}</p>
${page.opening.join('\n')}
${page.charts.map(chartSection).join('\n')}
${page.closing.join('\n')}
</main>
<script>${inScript(echarts)}</script>
<script>
for (const { id, option } of ${inScript(JSON.stringify(options))}) {
  const chart = echarts.init(document.getElementById(id), undefined, { renderer: 'svg' });
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
svg { max-width: 100%; height: auto; } svg text { fill: currentColor; }
@media (prefers-color-scheme: dark) {
  body { color: #d7dee6; background: #12171d; }
  section, .fact { background: #1b222b; border-color: #313b47; }
  .sub, .caption, .fact span { color: #93a0ad; }
  td, th { border-bottom-color: #2a333e; }
  .violations { background: #3b1c1a; }
}
`;

/** Text as it may stand in HTML. */
export const escape = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** Rows of cells; the first row has the heads. */
export function htmlTable([heads = [], ...rows]: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escape(cell)}</${tag}>`).join('')}</tr>`;
  return `<table>${row(heads, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>`;
}

export const htmlSection = (title: string, html: string): string =>
  `<section><h2>${escape(title)}</h2>${html}</section>`;

/** Text inside a script element must not close it. */
const inScript = (text: string): string => text.replace(/<\/(script)/gi, '<\\/$1');

function chartSection(chart: Chart): string {
  return `<section><h2>${escape(chart.title)}</h2><p class="caption">${escape(chart.caption)}</p>
<div id="${chart.id}" style="height:${chart.heightPx}px"></div></section>`;
}
