import type { Chart } from '../data/chart';
import type { PageData } from '../data/page-data';
import type { Moment } from './moment';

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
      const detail = async (): Promise<void> => {
        const { fromUs, toUs } = moment.look;
        if (moment.isWhole) {
          told.data(data);
          return;
        }
        const answer = await fetch(`detail?from=${fromUs}&to=${toUs}`);
        if (!answer.ok) {
          told.status(await answer.text());
          return;
        }
        const charts = (await answer.json()) as readonly Chart[];
        told.data({ ...data, charts: withNewer(data.charts, charts) });
      };
      const end = moment.follow((look, before) => {
        if (look.fromUs === before.fromUs && look.toUs === before.toUs) return;
        clearTimeout(timer);
        timer = window.setTimeout(() => void detail(), SETTLED_MS);
      });
      if (!isLive) return end;
      const events = new EventSource('events');
      events.onmessage = ({ data: text }: MessageEvent<string>) => {
        data = JSON.parse(text) as PageData;
        told.data(data);
      };
      events.addEventListener('status', ({ data: text }: MessageEvent<string>) =>
        told.status(text),
      );
      return () => {
        end();
        events.close();
      };
    },
  };
}

const withNewer = (charts: readonly Chart[], newer: readonly Chart[]): Chart[] => {
  const byId = new Map(newer.map((chart) => [chart.id, chart]));
  return charts.map((chart) => byId.get(chart.id) ?? chart);
};
