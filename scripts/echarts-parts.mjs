// The parts of ECharts that pictures are drawn with.
import { BarChart, CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridSimpleComponent, LegendPlainComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

use([
  LineChart,
  BarChart,
  ScatterChart,
  CustomChart,
  GridSimpleComponent,
  LegendPlainComponent,
  TitleComponent,
  SVGRenderer,
]);

export { init };
