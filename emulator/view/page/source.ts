import type { Chart } from '../data/chart';
import type { PageData } from '../data/page-data';
import type { Moment } from './moment';
import { LatestRequest, requestFromServer } from './latest-request';

/** Source of the page's data, after the first. */
export interface Source {
  /** Passes new data to the listener until the result is called. */
  follow(moment: Moment, listener: PageListener): () => void;
}

export interface PageListener {
  readonly data: (data: PageData) => void;
  readonly status: (text: string) => void;
}

/** A file has all that it will ever have. */
export const STATIC: Source = { follow: () => () => undefined };

const SETTLED_MS = 150;

/**
 * Whatever answers requests as source: it has more detail of any part of the time; a server reports runs in
 * progress, too.
 */
export function serverSource(
  first: PageData,
  isLive: boolean,
  requester = requestFromServer,
): Source {
  return {
    follow(moment, listener) {
      let data = first;
      let timer = 0;
      const request = new LatestRequest(requester);
      const show = async (): Promise<void> => {
        const { fromUs, toUs } = moment.look;
        if (moment.isWhole) {
          request.end();
          listener.data(data);
          return;
        }
        const answer = await request.get(`detail?from=${fromUs}&to=${toUs}`);
        if (answer === undefined) return;
        if (typeof answer === 'string') {
          listener.status(answer);
          return;
        }
        const charts = answer.found as readonly Chart[];
        listener.data({ ...data, charts: withNewer(data.charts, charts) });
      };
      const ends = [
        moment.follow((look, before) => {
          if (look.fromUs === before.fromUs && look.toUs === before.toUs) return;
          clearTimeout(timer);
          timer = window.setTimeout(() => void show(), SETTLED_MS);
        }),
        () => clearTimeout(timer),
        () => request.end(),
      ];
      if (isLive) {
        const newer = (newest: PageData): void => {
          data = newest;
          void show();
        };
        ends.push(followEvents(newer, listener.status));
      }
      return () => ends.forEach((end) => end());
    },
  };
}

/** Follows the events that a server sends; the result ends them. */
function followEvents(page: PageListener['data'], status: PageListener['status']): () => void {
  const events = new EventSource('events');
  events.onmessage = ({ data }: MessageEvent<string>) => page(JSON.parse(data) as PageData);
  events.addEventListener('status', ({ data }: MessageEvent<string>) => status(data));
  events.onerror = () =>
    status(
      events.readyState === EventSource.CLOSED
        ? 'The server has closed the connection: load the page again.'
        : 'The server does not answer; trying again.',
    );
  return () => events.close();
}

const withNewer = (charts: readonly Chart[], newer: readonly Chart[]): Chart[] => {
  const byId = new Map(newer.map((chart) => [chart.id, chart]));
  return charts.map((chart) => byId.get(chart.id) ?? chart);
};
