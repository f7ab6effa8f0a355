import { loadScenario } from '../../../../../emulator/io/inputs/scenario-files';
import { liveRun } from '../../../../../emulator/view/server/live-run';
import type { PageData } from '../../../../../emulator/view/data/page-data';

test('a run is seen while it goes on, and ends when nobody wants it any more', async () => {
  const scenario = { ...loadScenario('incast16'), untilUs: 1_000_000 };
  const stop = new AbortController();
  const { session, over } = await liveRun({ scenario, seed: 1 }, stop.signal);
  const first = session.page().run?.durationUs ?? 0;
  expect(first).toBeGreaterThan(0);
  expect(session.ability).toMatchObject({ isLive: true });
  const next = await new Promise<PageData>((resolve) => {
    const isLater = ({ run }: PageData) => (run?.durationUs ?? 0) > first;
    session.follow?.({
      page: (page) => isLater(page) && resolve(page),
      status: () => undefined,
    });
  });
  expect(next.run?.durationUs).toBeGreaterThan(first);
  stop.abort();
  await over;
  expect(session.page().opening[0]?.title).toContain('Interrupted');
});

test('a scenario that cannot be run is refused', async () => {
  const scenario = { ...loadScenario('incast16'), flows: [] };
  await expect(liveRun({ scenario, seed: 1 }, new AbortController().signal)).rejects.toThrow(
    'a scenario needs flows',
  );
});
