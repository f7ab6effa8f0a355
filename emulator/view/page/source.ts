import type { Chart } from '../data/chart';
import type { PageData } from '../data/page-data';
import type { Moment } from './moment';
import { Question } from './question';

/** Where the page's data come from, after the first. */
export interface Source {
  /** Tells of new data until the result is called. */
  follow(moment: Moment, told: Told): () => void;
}

export interface Told {
  readonly data: (data: PageData) => void;
  readonly status: (text: string) => void;
}

/** A file has all that it will ever have. */
export const STATIC: Source = { follow: () => () => undefined };

const SETTLED_MS = 150;

/** A server has more detail of any part of the time, and tells of runs in progress. */
export function serverSource(first: PageData, isLive: boolean): Source {
  return {
    follow(moment, told) {
      let data = first;
      let timer = 0;
      const question = new Question();
      const show = async (): Promise<void> => {
        const { fromUs, toUs } = moment.look;
        if (moment.isWhole) {
          question.end();
          told.data(data);
          return;
        }
        const answer = await question.ask(`detail?from=${fromUs}&to=${toUs}`);
        if (answer === undefined) return;
        if (typeof answer === 'string') {
          told.status(answer);
          return;
        }
        const charts = answer.found as readonly Chart[];
        told.data({ ...data, charts: withNewer(data.charts, charts) });
      };
      const ends = [
        moment.follow((look, before) => {
          if (look.fromUs === before.fromUs && look.toUs === before.toUs) return;
          clearTimeout(timer);
          timer = window.setTimeout(() => void show(), SETTLED_MS);
        }),
        () => clearTimeout(timer),
        () => question.end(),
      ];
      if (isLive) {
        const newer = (newest: PageData): void => {
          data = newest;
          void show();
        };
        ends.push(followEvents(newer, told.status));
      }
      return () => ends.forEach((end) => end());
    },
  };
}

/** What a server tells by itself; the result ends it. */
function followEvents(page: Told['data'], status: Told['status']): () => void {
  const events = new EventSource('events');
  events.onmessage = ({ data }: MessageEvent<string>) => page(JSON.parse(data) as PageData);
  events.addEventListener('status', ({ data }: MessageEvent<string>) => status(data));
  events.onerror = () =>
    status(
      events.readyState === EventSource.CLOSED
        ? 'The server tells no more: load the page again.'
        : 'The server does not answer; it is asked again.',
    );
  return () => events.close();
}

const withNewer = (charts: readonly Chart[], newer: readonly Chart[]): Chart[] => {
  const byId = new Map(newer.map((chart) => [chart.id, chart]));
  return charts.map((chart) => byId.get(chart.id) ?? chart);
};
