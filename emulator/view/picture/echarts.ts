import { init } from 'echarts';

type Option = Parameters<ReturnType<typeof init>['setOption']>[0];

/**
 * Draws an option of ECharts as an SVG element of so many units, without a browser. The build joins this with the
 * parts of ECharts that it needs (scripts/echarts-parts.mjs), so that the package depends on no more.
 */
export function drawOption(option: Option, width: number, height: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(option);
    return chart.renderToSVGString();
  } finally {
    // A chart that is kept keeps the process.
    chart.dispose();
  }
}
