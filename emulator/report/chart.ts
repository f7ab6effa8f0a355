import type { EChartsOption } from 'echarts';

export interface Chart {
  readonly id: string;
  readonly title: string;
  /** One sentence on how to read it. */
  readonly caption: string;
  readonly heightPx: number;
  readonly option: EChartsOption;
}
