import * as http from 'node:http';
import { finishedRun } from '../../../../../emulator/view/server/finished-run';
import { serveView } from '../../../../../emulator/view/server/view-server';
import type { ViewServer } from '../../../../../emulator/view/server/view-server';
import { RESULT } from '../../../../support/result';

let server: ViewServer;
beforeAll(async () => {
  server = await serveView(finishedRun({ name: 'a', result: RESULT }, {}), 0);
});
afterAll(() => server.close());

const ask = async (path: string) => {
  const answer = await fetch(`${server.url}${path}`);
  return { status: answer.status, text: await answer.text() };
};

test('gives the page, its data, and a part of the time in more detail', async () => {
  expect((await ask('')).text).toContain('id="session"');
  expect(JSON.parse((await ask('data')).text)).toMatchObject({ title: 'A <tiny> run' });
  const charts = JSON.parse((await ask('detail?from=0&to=1')).text) as { id: string }[];
  expect(charts.map(({ id }) => id)).toContain('queue');
});

test.each([
  ['nowhere', 404, 'the page is at /'],
  ['detail?from=x&to=1', 400, "from must be a number of at least 0, got 'x'"],
  ['detail?from=5&to=1', 400, 'to must be a number of at least 5'],
  ['trace?from=1&length=1', 400, 'no scenario.json to run again'],
  ['why?flow=1', 400, 'no scenario.json to run again'],
  ['difference', 400, 'no second run'],
  ['events', 400, 'nothing goes on here'],
  ['__proto__', 404, 'the page is at /'],
])('refuses /%s', async (path, status, text) => {
  const answer = await ask(path);
  expect(answer.status).toBe(status);
  expect(answer.text).toContain(text);
});

test('answers nobody who came by another name', async () => {
  const status = await new Promise((resolve) => {
    const headers = { host: 'evil.example' };
    http.get(`${server.url}data`, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
  });
  expect(status).toBe(403);
});

/** Status of a request with these headers, and a path that fetch would not send. */
const raw = (path: string, headers: http.OutgoingHttpHeaders = {}): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    http
      .get({ hostname, port, path, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
      .on('error', reject);
  });

test.each<[http.OutgoingHttpHeaders, number]>([
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ origin: 'https://evil.example' }, 403],
  [{ origin: 'null' }, 403],
  [{ 'sec-fetch-site': 'same-origin' }, 400],
  [{ 'sec-fetch-site': 'none' }, 400],
])('attack 6: a page from elsewhere starts no run: %j', async (headers, status) => {
  expect(await raw('/trace?from=0&length=1', headers)).toBe(status);
});

test.each(['//', '//evil.example/data', '/\\\\evil', '*', '/%'])(
  'attack 16: the address %s is refused in a sentence, without a stack',
  async (path) => {
    expect([400, 404]).toContain(await raw(path));
  },
);

test('attack 6: a run whose scenario names code says why it is not repeated', async () => {
  const cannotRepeat = 'the scenario names code, ./evil.mjs: --trust lets it run here';
  const own = await serveView(finishedRun({ name: 'a', result: RESULT, cannotRepeat }, {}), 0);
  const answer = await fetch(`${own.url}trace?from=0&length=1`);
  expect([answer.status, await answer.text()]).toEqual([400, cannotRepeat]);
  await own.close();
});

test('names a port that is taken', async () => {
  const port = Number(new URL(server.url).port);
  const session = finishedRun({ name: 'a', result: RESULT }, {});
  await expect(serveView(session, port)).rejects.toThrow(`--port ${port}: `);
});

test('a run that is repeated for a reader ends when the reader goes away', async () => {
  let began: (gone: AbortSignal) => void = () => undefined;
  const given = new Promise<AbortSignal>((resolve) => (began = resolve));
  const own = await serveView(
    {
      ...finishedRun({ name: 'a', result: RESULT }, {}),
      travel: (_wanted, gone) =>
        new Promise((_, reject) => {
          if (gone === undefined) throw new Error('nobody can end it');
          gone.addEventListener('abort', () => reject(gone.reason as Error));
          began(gone);
        }),
    },
    0,
  );
  const reader = new AbortController();
  const asked = fetch(`${own.url}trace?from=0&length=1`, { signal: reader.signal });
  const gone = await given;
  reader.abort();
  await expect(asked).rejects.toThrow('aborted');
  await new Promise((resolve) => (gone.aborted ? resolve(0) : (gone.onabort = resolve)));
  await own.close();
});

test('some pages follow a run, and their places are free when they close', async () => {
  const finished = finishedRun({ name: 'a', result: RESULT }, {});
  let following = 0;
  const follow = () => {
    following++;
    return () => {
      following--;
    };
  };
  const own = await serveView({ ...finished, follow }, 0);
  const stops = Array.from({ length: 16 }, () => new AbortController());
  const open = ({ signal }: AbortController) => fetch(`${own.url}events`, { signal });
  await Promise.all(stops.map(open));
  const refused = await fetch(`${own.url}events`);
  expect([refused.status, await refused.text()]).toEqual([
    400,
    '16 pages follow already: close one of them',
  ]);
  stops.forEach((stop) => stop.abort());
  const nobody = async (): Promise<void> => {
    while (following > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await nobody();
  const again = new AbortController();
  expect((await open(again)).status).toBe(200);
  again.abort();
  await own.close();
  await nobody();
});
