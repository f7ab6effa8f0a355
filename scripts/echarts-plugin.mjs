// Lets esbuild join what draws charts with the parts of ECharts that it needs.
import { resolve } from 'node:path';

export const echartsParts = {
  name: 'echarts-parts',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^echarts$/ }, () => ({ path: resolve('scripts/echarts-parts.mjs') })),
};
