// The parts of ECharts that pictures are drawn with.
import { BarChart, CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

use([
  LineChart,
  BarChart,
  ScatterChart,
  CustomChart,
  GridComponent,
  LegendComponent,
  TitleComponent,
  SVGRenderer,
]);

export { init };
