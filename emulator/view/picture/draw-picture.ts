import type { Chart } from '../data/chart';
import { gridOf, plotRect, xAxisOf, yAxisOf } from './chart-axes';
import type { ChartLook, Place, PlotRect } from './chart-axes';
import { linesOf } from './chart-lines';
import { drawOption } from './echarts';
import type { Corner, Drawing } from './echarts';
import { entryName, isLegible } from './legend';
import { SCREEN } from './picture-style';
import type { PictureStyle } from './picture-style';

/** Pictures of a screen follow its colours; paper is white. */
const darkStyle = ({ ink: { paper, grid } }: PictureStyle): string =>
  '<style>@media(prefers-color-scheme:dark){text{fill:#d7dee6}' +
  `rect[fill="${paper}"]{fill:#14181d}path[stroke="${grid}"]{stroke:#2c343d}}</style>`;

/**
 * Charts side by side as an SVG file, for documents; equal charts give equal text, and words stay text.
 * @param command what makes the picture again; it stands in the picture, for who finds it somewhere.
 */
export function drawPicture(
  charts: readonly Chart[],
  command: string,
  style: PictureStyle = SCREEN,
): string {
  const { svg } = drawn(charts, style, {});
  const scheme = style.unit === 'px' ? darkStyle(style) : '';
  const attributes = `${sizeOf(charts.length, style)} role="img"`;
  return `${element(svg, attributes, `<desc>${escapeXml(command)}</desc>${scheme}`)}\n`;
}

/** A chart that a page shows, and where its values are. */
export interface PageChart {
  readonly svg: string;
  readonly rect: PlotRect;
  /** Values at the ends of the axes. */
  readonly from: Corner;
  readonly to: Corner;
}

/** A chart for a page, drawn as files are: title and legend are the page's. */
export function drawPageChart(chart: Chart, style: PictureStyle, look: ChartLook): PageChart {
  const {
    svg,
    corners: [from, to],
  } = drawn([chart], style, look);
  const rect = plotRect(chart, { index: 0, count: 1, hasNames: false, style });
  // Names within an element are names of the whole page.
  const own = element(svg, `${sizeOf(1, style)} aria-hidden="true"`).replaceAll(
    'zr-',
    `${chart.id}-`,
  );
  return { svg: own, rect, from, to };
}

function drawn(charts: readonly Chart[], style: PictureStyle, look: ChartLook): Drawing {
  const names = [...new Set(charts.flatMap(({ series }) => series.map(entryName)))];
  const hasNames = style.hasLegend && names.length > 1 && isLegible(names);
  const common = { count: charts.length, hasNames, style };
  const places = charts.map((_, index): Place => ({ index, ...common }));
  const each = <Part>(of: (chart: Chart, place: Place, look: ChartLook) => Part): Part[] =>
    charts.map((chart, i) => of(chart, places[i] as Place, look));
  const option = {
    animation: false,
    backgroundColor: style.ink.paper,
    textStyle: { fontFamily: style.fontFamily, fontSize: style.fontSize, color: style.ink.text },
    title: style.hasTitles ? each(titleOf) : [],
    legend: { show: hasNames, ...namesOf(names, charts.length, style) },
    grid: each(gridOf),
    xAxis: each(xAxisOf),
    yAxis: each(yAxisOf),
    series: each(linesOf).flat(),
  };
  const size = { width: style.width * charts.length, height: style.height };
  const [first] = each(plotRect);
  const { left, right, top, bottom } = first ?? { left: 0, right: 0, top: 0, bottom: 0 };
  return drawOption(option, size, [
    [left, bottom],
    [right, top],
  ]);
}

function titleOf({ title }: Chart, { index, style: { width, fontSize, ink } }: Place): object {
  return {
    text: title,
    left: index * width + width / 2,
    top: fontSize * 2.2,
    textAlign: 'center',
    textStyle: { fontSize: fontSize + 2, fontWeight: 'bold', color: ink.text },
  };
}

/** Each line once, whichever charts it is in; lines of a group are one. */
function namesOf(
  names: readonly string[],
  charts: number,
  { fontSize, width, ink }: PictureStyle,
): object {
  return {
    data: names,
    top: 2,
    left: 'center',
    width: width * charts * 0.94,
    itemWidth: fontSize * 1.6,
    itemHeight: fontSize * 0.6,
    // Widths of words are estimated, and fonts of screens are up to a fifth wider.
    itemGap: fontSize * 2.4,
    icon: 'rect',
    textStyle: { fontSize, color: ink.text },
  };
}

function sizeOf(charts: number, { width, height, unit }: PictureStyle): string {
  const all = width * charts;
  return `width="${all}${unit}" height="${height}${unit}" viewBox="0 0 ${all} ${height}"`;
}

/** Gives the element its measures and origin, and takes away what is only for a pointer, and counts drawings. */
function element(svg: string, attributes: string, head = ''): string {
  const start = `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>`;
  const body = svg
    .slice(svg.indexOf('>') + 1)
    .replaceAll(/<style[^>]*>.*?<\/style>\s*/gs, '')
    .replaceAll(/ (class|ecmeta_\w+|pointer-events)="[^"]*"/g, '')
    // librsvg and Inkscape put words at the same height only so.
    .replaceAll(' dominant-baseline="central"', ' dy="0.35em"')
    .replaceAll(/zr\d+-/g, 'zr-');
  return `${start}${head}${body}`;
}

const escapeXml = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
