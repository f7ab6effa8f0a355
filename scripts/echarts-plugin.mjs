// Lets esbuild join what draws charts with the parts of ECharts that it needs.
import { resolve } from 'node:path';

export const echartsParts = {
  name: 'echarts-parts',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^echarts$/ }, () => ({ path: resolve('scripts/echarts-parts.mjs') })),
};

/** For a script that stands behind build/emulator/view/picture/echarts.js: takes from there what draws. */
export const drawingOfFile = {
  name: 'drawing-of-file',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/echarts$/ }, () => ({ path: 'drawing', namespace: 'drawing' }));
    onLoad({ filter: /.*/, namespace: 'drawing' }, () => ({
      contents: 'export const { drawOption } = globalThis.hpccDrawing;',
    }));
  },
};
