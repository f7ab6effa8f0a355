import type { ComponentChildren, JSX } from 'preact';
import type { Chart } from '../data/chart';
import { SUBJECTS } from '../data/page-data';
import type { PageSection, RunView, Session, Subject } from '../data/page-data';
import { DifferenceView } from './difference-view';
import { FlowsView } from './flows-view';
import { Fold } from './fold';
import type { Moment } from './moment';
import { RanksView } from './ranks-view';
import { Section } from './sections';
import { TraceView } from './trace-view';

interface DetailsProps {
  readonly charts: readonly Chart[];
  readonly chartView: (chart: Chart) => JSX.Element;
  readonly sections: readonly PageSection[];
  readonly run: RunView;
  readonly moment: Moment;
  /** Absent in a file. */
  readonly session: Session | undefined;
}

/** Details of a run beyond its first screen, folded by subject. */
export function Details({ charts, chartView, sections, run, moment, session }: DetailsProps) {
  const canAsk = session?.canTravel === true;
  const views: Partial<Record<Subject, readonly View[]>> = {
    Flows: [['each flow', <FlowsView run={run} moment={moment} canAsk={canAsk} />]],
    ...(run.ranks !== undefined && {
      'Ranks and collectives': run.ranks.map((lanes): View => [
        'who did what when',
        <RanksView lanes={lanes} run={run} moment={moment} />,
      ]),
    }),
    ...(canAsk && { Packets: [['at a moment', <TraceView run={run} moment={moment} />]] }),
    ...(session?.canCompare === true && {
      'Two runs': [['where they part', <DifferenceView moment={moment} />]],
    }),
  };
  return (
    <div class="details">
      {SUBJECTS.map((subject) => {
        const drawn = charts.filter((chart) => chart.subject === subject);
        const told = sections.filter((section) => section.subject === subject);
        const own = views[subject] ?? [];
        const names = [...drawn, ...told].map(({ title }) => title);
        const what = [...names, ...own.map(([name]) => name)].join(' · ');
        if (what === '') return null;
        return (
          <Fold key={subject} title={subject} what={what}>
            {drawn.map(chartView)}
            {own.map(([, view]) => view)}
            {told.map((section) => (
              <Section key={section.title} {...section} />
            ))}
          </Fold>
        );
      })}
    </div>
  );
}

type View = readonly [name: string, view: ComponentChildren];
