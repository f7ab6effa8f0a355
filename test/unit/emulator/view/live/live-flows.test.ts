import { LiveFlows } from '../../../../../emulator/view/live/live-flows';

const look = (bytes: number) => ({
  rateBps: 1e9,
  windowBytes: bytes,
  normalizedInflight: 0.9,
  deliveredBytes: bytes,
});

test('a flow is kept with fewer and fewer samples, and its latest figures', () => {
  const flows = new LiveFlows();
  for (let i = 0; i < 1e5; i++)
    flows.note('a', { source: 'h1', destination: 'h2' }, i * 2e4, look(i));
  const [one] = flows.series();
  expect(one?.timeUs.length).toBeLessThanOrEqual(2048);
  expect(one?.timeUs.at(-1)).toBeGreaterThan(1.9e9);
  expect(one?.rateGbps[0]).toBe(1);
  expect(flows.records()).toMatchObject([{ id: 1, source: 'h1', deliveredBytes: 99_999 }]);
});

test('more flows than there is room for are counted', () => {
  const flows = new LiveFlows();
  for (let i = 0; i < 510; i++)
    flows.note(String(i), { source: 'a', destination: 'b' }, 0, look(1));
  expect(flows.records()).toHaveLength(500);
  expect(flows.omitted).toBe(10);
});

test('flows that have long been silent give way to new ones', () => {
  const flows = new LiveFlows();
  const name = { source: 'a', destination: 'b' };
  for (let i = 0; i < 500; i++) flows.note(String(i), name, 0, look(1));
  for (let i = 1; i < 500; i++) flows.note(String(i), name, 6e6, look(1));
  flows.note('new', name, 6e6, look(1));
  flows.note('one more', name, 6e6, look(1));
  const ids = flows.records().map(({ id }) => id);
  expect(ids).toHaveLength(500);
  expect([ids[0], ids.at(-1)]).toEqual([2, 501]);
  expect(flows.omitted).toBe(2);
  // A minute of short flows costs no more than the first seconds.
  for (let i = 0; i < 6000; i++) flows.note(`short ${i}`, name, 6e6 + i * 1e4, look(1));
  expect(flows.records()).toHaveLength(500);
  expect(flows.records().at(-1)?.id).toBeGreaterThan(5000);
});
