import * as echarts from 'echarts';
import type { EChartsOption } from 'echarts';

/** Texts are legible on light and on dark pages, wherever the picture is shown. */
const STYLE =
  '<style>text{fill:#1d2733}@media(prefers-color-scheme:dark){text{fill:#d7dee6}}</style>';

/** A chart as an SVG element, drawn without a browser. */
export function drawSvg(
  option: EChartsOption,
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(option);
    return chart.renderToSVGString().replace(/^<svg[^>]*>/, (start) => `${start}${STYLE}`);
  } finally {
    chart.dispose();
  }
}
