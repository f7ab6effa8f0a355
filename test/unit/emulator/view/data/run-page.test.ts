import { runPage } from '../../../../../emulator/view/data/run-page';
import { runCharts, timeCharts } from '../../../../../emulator/view/data/run-charts';
import { servedPage, staticPage } from '../../../../../emulator/view/data/static-page';
import { pageDataOf } from '../../../../support/page';
import { RESULT } from '../../../../support/result';

const ASSETS = { script: 'var a = 1; // </script> in a comment', style: 'p{}' };

describe('the page of a run', () => {
  const data = runPage(RESULT);
  const html = staticPage(data, ASSETS);

  test('has queues, rates, windows, U, fairness and completion times', () => {
    expect(data.charts.map(({ id }) => id)).toEqual([
      'queue',
      'rates',
      'windows',
      'u',
      'fairness',
      'fct',
    ]);
  });

  test('says of a queue that nobody has sampled that it was not, and gives no figure', () => {
    const bottleneck = { ...RESULT.bottleneck, queuePeakBytes: 0, drainedAtUs: null };
    const page = runPage({ ...RESULT, bottleneck });
    expect(JSON.stringify([page.facts, page.closing])).toContain('["not sampled","peak queue"]');
    expect(page.charts[0]?.caption).toContain('was not sampled');
  });

  test('tells what links lost beside what switches dropped, where links lost anything', () => {
    const links = RESULT.links.map((link) => ({ ...link, lostPackets: 5 }));
    const lost = ['packets that links lost', String(5 * links.length)];
    const facts = ({ facts: heads, closing }: ReturnType<typeof runPage>): string =>
      JSON.stringify([heads.map(([value, name]) => [name, value]), closing]);
    const page = facts(runPage({ ...RESULT, links }));
    expect(page.split(JSON.stringify(lost))).toHaveLength(3);
    expect(facts(data)).not.toContain('links lost');
  });

  test('is one file that loads nothing, and forbids that it be made to', () => {
    expect(html).not.toMatch(/<(script|link|img)[^>]+(src|href)=/);
    expect(html).toContain("default-src 'none'");
    expect(pageDataOf(html)).toEqual(data);
  });

  test('has names with markup as text, and no string ends an element', () => {
    const hostile = { ...RESULT, scenario: { name: 'x', title: '</script><img src=x onerror=1>' } };
    const page = staticPage(runPage(hostile), ASSETS);
    expect(page).toContain('<title>&lt;/script&gt;&lt;img src=x onerror=1&gt;</title>');
    expect(page.match(/<\/script>/g)).toHaveLength(2);
    expect(page).not.toContain('<img');
    expect(pageDataOf(page).title).toBe(hostile.scenario.title);
  });

  test('asks a server for its data where there is one', () => {
    const served = servedPage('A', { isLive: true, canTravel: false, canCompare: false }, ASSETS);
    expect(served).toContain('id="session">{"isLive":true,"canTravel":false,"canCompare":false}<');
    expect(served).not.toContain('id="data"');
  });

  test('names broken invariants, and where a run was interrupted', () => {
    expect(data.opening).toEqual([]);
    const broken = { ...RESULT, violations: ['s1: bytes vanished'], interruptedAtUs: 2 };
    expect(runPage(broken).opening).toEqual([
      {
        title: 'Interrupted after 2.000 us of virtual time: what follows is incomplete',
        tone: 'bad',
      },
      { title: 'Broken invariants', text: ['s1: bytes vanished'], tone: 'bad' },
    ]);
  });

  test('names flows that did not finish', () => {
    const given = { ...RESULT, unfinished: '1 of 2 flows did not finish' };
    expect(runPage(given).opening).toEqual([
      { title: 'Unfinished flows', text: ['1 of 2 flows did not finish'], tone: 'bad' },
    ]);
  });
});

describe('the charts of a run', () => {
  const bytes = Array.from({ length: 20_000 }, (_, i) => (i === 12_345 ? 9000 : 0));
  const long = {
    ...RESULT,
    durationUs: 2000,
    queueTimeline: { ...RESULT.queueTimeline, bytes },
  };

  test('have the peak of the queue at its instant, though no sample met it', () => {
    const bottleneck = { ...RESULT.bottleneck, queuePeakBytes: 12_000, queuePeakAtUs: 100.25 };
    const [queue] = runCharts({ ...long, bottleneck });
    const { x = [], y = [] } = queue?.series[0] ?? {};
    const highest = y.indexOf(12);
    expect([Math.max(...y.map(Number)), x[highest]]).toEqual([12, 100.25]);
    expect([...x].sort((a, b) => a - b)).toEqual(x);
    expect(queue?.caption).toContain('with its peak between two samples');
    const met = runCharts({ ...long, bottleneck: { ...bottleneck, queuePeakBytes: 9000 } });
    expect(met[0]?.caption).not.toContain('between two samples');
  });

  test('keep the highest value of a long series', () => {
    const [line] = runCharts(long)[0]?.series ?? [];
    expect(line?.x.length).toBeLessThanOrEqual(6000);
    expect(Math.max(...(line?.y ?? []).map(Number))).toBe(9);
  });

  test('have every sample of a part that is short enough', () => {
    const [queue] = timeCharts(long, { fromUs: 1234, toUs: 1235, points: 6000 });
    expect(queue?.series[0]?.x).toEqual([
      1233.9, 1234, 1234.1, 1234.2, 1234.3, 1234.4, 1234.5, 1234.6, 1234.7, 1234.8, 1234.9, 1235,
    ]);
  });

  test('show the fair share of those that meet at a host', () => {
    const two = RESULT.flows.map((flow) => ({ ...flow, fctUs: 4, startUs: 0 }));
    const result = { ...RESULT, flows: two, parameters: { targetUtilization: 0.9 } };
    const rates = runCharts(result).find(({ id }) => id === 'rates');
    const capacity = RESULT.links.find(({ name }) => name === RESULT.bottleneck.link)?.rateGbps;
    const share = rates?.series.find(({ kind }) => kind === 'reference');
    expect(share).toMatchObject({ name: 'fair share', isStepped: true });
    expect([share?.x, share?.y]).toEqual([
      [0, 4],
      [45, 45],
    ]);
    expect(capacity).toBe(100);
  });

  test('step in the fair share with each flow that comes or goes, with a gap while there is none', () => {
    const [first] = RESULT.flows as [(typeof RESULT.flows)[number]];
    const times = [
      [0, 30],
      [10, 10],
      [10, 10],
      [50, 10],
      [55, null],
    ] as const;
    const flows = times.map(([startUs, fctUs], i) => ({ ...first, id: i, startUs, fctUs }));
    const result = { ...RESULT, durationUs: 70, flows, parameters: { targetUtilization: 0.9 } };
    const charts = runCharts(result);
    const share = charts
      .find(({ id }) => id === 'rates')
      ?.series.find(({ kind }) => kind === 'reference');
    expect([share?.x, share?.y]).toEqual([
      [0, 10, 20, 30, 40, 50, 55, 60, 70],
      [90, 30, 90, 90, null, 90, 45, 90, 90],
    ]);
    const target = charts
      .find(({ id }) => id === 'u')
      ?.series.find(({ kind }) => kind === 'reference');
    expect([target?.x, target?.y]).toEqual([
      [0, 70],
      [0.9, 0.9],
    ]);
  });

  test('have as many steps of the fair share as a picture shows, over the whole run', () => {
    const [first] = RESULT.flows as [(typeof RESULT.flows)[number]];
    const flows = Array.from({ length: 5000 }, (_, i) => {
      return { ...first, id: i, startUs: i / 10, fctUs: 600 - i / 10 };
    });
    const result = { ...RESULT, durationUs: 600, flows, parameters: { targetUtilization: 0.9 } };
    const rates = runCharts(result).find(({ id }) => id === 'rates');
    const share = rates?.series.find(({ kind }) => kind === 'reference');
    expect(share?.x).toHaveLength(1001);
    expect(share?.x.at(-1)).toBe(600);
    expect(share?.y[100]).toBeCloseTo(90 / 601, 3);
    expect(share?.y[900]).toBeCloseTo(90 / 5000, 4);
  });
});
