import { alignedTable } from '../../common/io/terminal';
import { figureAt } from '../../emulator/figures/dictionary';
import { figureColumns } from '../../emulator/figures/figure-columns';
import type { FigureColumn } from '../../emulator/figures/figure-columns';
import { figureText } from '../../emulator/figures/figure-text';
import type { AgentReport } from '../../host-agent/io/live/run-agent';
import type { Settings } from '../../host-agent/settings/settings';
import { controlNotes } from '../../host-agent/traffic/control-notes';
import type {
  FlowInterval,
  FlowTotal,
  TrafficTotal,
} from '../../host-agent/traffic/traffic-report';

/** Figures of the flows that a host has sent. */
export type Sent = NonNullable<AgentReport['sent']>;

const WIDTH = 11;

/** A line for each flow of an interval. */
export const intervalText = (flows: readonly FlowInterval[]): string =>
  flows
    .map((flow) => {
      const time = `${flow.fromSeconds.toFixed(1)}-${flow.toSeconds.toFixed(1)} s`;
      const figure = (key: IntervalKey): string =>
        figureText(figureAt(`intervals.*.*.${key}`), flow[key]).padStart(WIDTH);
      const cells = [
        figure('bytes'),
        figure('bitsPerSecond'),
        `sent again ${flow.segmentsRetransmitted}`.padStart(WIDTH),
        `window ${figure('windowBytes')}`,
        `queue ${figure('queueBytes')}`,
      ];
      return `[${flow.flow}] ${time}  ${cells.join('  ')}`;
    })
    .join('\n');

type IntervalKey = 'bytes' | 'bitsPerSecond' | 'windowBytes' | 'queueBytes';

/** A flow, or all of them, of which less is known. */
type Row = Partial<Pick<FlowTotal, 'acknowledgedBytes' | 'windowBytes' | 'hops'>> &
  Pick<FlowTotal, 'seconds' | 'bitsPerSecond' | 'segmentsRetransmitted' | 'queueBytesMax'>;

type RowKey = keyof Row;

const COLUMNS = (
  [
    'acknowledgedBytes',
    'seconds',
    'bitsPerSecond',
    'segmentsRetransmitted',
    'windowBytes',
    'queueBytesMax',
    'hops',
  ] satisfies RowKey[]
).map((key): FigureColumn<Row> => ({ path: `sent.flows.*.${key}`, of: (row) => row[key] }));

/** A table of flows and of all together, and what is to be said of them, by the dictionary of figures. */
export function summaryText({ flows, total }: Sent, { operation, algorithm }: Settings): string {
  const isMany = flows.length < total.flows;
  const listed = isMany ? [] : flows;
  const heads = [
    'flow',
    ...listed.map(({ flow, isComplete }) => `[${flow}]${isComplete ? '' : ' unfinished'}`),
    isMany ? `all ${total.flows}` : 'all',
  ];
  const all = { ...total, acknowledgedBytes: total.bytes };
  const rows = figureColumns<Row>([...listed, all], COLUMNS);
  const table = alignedTable(rows.map((cells, i) => [heads[i] ?? '', ...cells]));
  const jain = flows.length > 1 ? [totalText('jain', total.jain)] : [];
  // Data that is read is controlled at its source.
  const notes = operation === 'read' ? [] : controlNotes({ flows, total }, algorithm);
  const sums = listed.flatMap(({ flow, sha256 }) =>
    sha256 === undefined ? [] : [`[${flow}] SHA-256 ${sha256}`],
  );
  return [table, ...(isMany ? [manyText(total)] : []), ...jain, ...notes, ...sums].join('\n');
}

/** Completion times of flows that are too many for rows. */
function manyText({ fctSeconds, flows, seconds, unfinishedFlows }: TrafficTotal): string {
  const times = (['median', 'p99', 'max'] as const).map((key) =>
    totalText(`fctSeconds.${key}`, fctSeconds[key]),
  );
  const rate = `${Math.round(flows / seconds)} flows/s`;
  return `${times.join(', ')}; ${rate}, ${unfinishedFlows} unfinished`;
}

function totalText(key: string, value: number): string {
  const figure = figureAt(`sent.total.${key}`);
  return `${figure.short ?? figure.name} ${figureText(figure, value)}`;
}
