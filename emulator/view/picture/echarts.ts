import { init } from 'echarts';

type Option = Parameters<ReturnType<typeof init>['setOption']>[0];

/** The drawn element, and the values at two corners of its first grid. */
export interface Drawing {
  readonly svg: string;
  readonly corners: readonly [lowerLeft: Corner, upperRight: Corner];
}

/** A place in units of the picture, or the values there. */
export type Corner = readonly [x: number, y: number];

/**
 * Draws an option of ECharts as an SVG element of so many units, in a browser as without one. The build joins this
 * with the parts of ECharts that it needs (scripts/echarts-parts.mjs), so that the package depends on no more.
 */
export function drawOption(
  option: Option,
  { width, height }: { readonly width: number; readonly height: number },
  places: Drawing['corners'],
): Drawing {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(option);
    const [first, second] = places.map((place) =>
      chart.convertFromPixel({ gridIndex: 0 }, [...place]),
    ) as unknown as [Corner, Corner];
    return { svg: chart.renderToSVGString(), corners: [first, second] };
  } finally {
    // A chart that is kept keeps the process.
    chart.dispose();
  }
}
