import { firstDifference } from '../../../../emulator/io/first-difference';
import { travel } from '../../../../emulator/io/travel';
import { loadScenario } from '../../../../emulator/io/inputs/scenario-files';

const scenario = loadScenario('incast16');
const run = { scenario, seed: 1 };
/** T of the scenario, in ns. */
const T = 4160;

test('a moment of a run is reached again, with every packet, hop and decision in it', async () => {
  const moment = await travel(run, { fromUs: 200, lengthUs: 12, flow: 2 });
  expect(new Set(moment.packets.map(({ flow }) => flow))).toEqual(new Set([2]));
  const data = moment.packets.filter(({ purpose }) => purpose === 'data');
  expect(data.every(({ reason }) => reason?.startsWith('pacing'))).toBe(true);
  expect(data[0]?.hops).toMatchObject([{ node: 's1', port: 1, wrote: { switchId: 1, portId: 1 } }]);
  const told = moment.packets.find(({ verdict }) => typeof verdict?.of === 'number')?.verdict;
  if (told === undefined) throw new Error('some packet is answered');
  const [link] = told.links;
  // Line 9, by hand, from what the switch has written.
  const tau = Math.min(link?.intervalNs ?? 0, T);
  const U = (told.before.U * (T - tau) + (link?.u ?? 0) * tau) / T;
  expect(told.after.U).toBeCloseTo(U, 12);
  expect(link?.u).toBeCloseTo((link?.rateGbps ?? 0) / 100 + (link?.queueBytes ?? 0) / 52_000, 9);
  expect(told.steps.map(({ lines }) => lines)).toEqual(
    expect.arrayContaining(['3-7', '9', '12', '27']),
  );
  expect(moment.packets.some(({ id }) => id === told.of)).toBe(true);
});

test('a moment of a receiver that runs the algorithm has its decisions', async () => {
  const parameters = { ...scenario.parameters, feedback: 'receiver' as const };
  const moment = await travel(
    { scenario: { ...scenario, parameters }, seed: 1 },
    { fromUs: 200, lengthUs: 12, flow: 2 },
  );
  const told = moment.packets.flatMap(({ id, purpose, verdict }) =>
    verdict === undefined ? [] : [{ id, purpose, ...verdict }],
  );
  expect(told.length).toBeGreaterThan(2);
  for (const { id, of, purpose, before, after, links } of told) {
    expect({ purpose, of }).toEqual({ purpose: 'data', of: id });
    expect(links).toHaveLength(1);
    expect(before.U).toBeGreaterThan(0);
    expect(after.U).not.toBe(before.U);
    expect(after.inflightBytes).toBeNull();
  }
});

test('the same moment is the same, and one behind the end is refused', async () => {
  const wanted = { fromUs: 20, lengthUs: 1 };
  expect(await travel(run, wanted)).toEqual(await travel(run, wanted));
  await expect(travel(run, { fromUs: 1e5, lengthUs: 1 })).rejects.toThrow(/the run ends at 786/);
});

test('two runs are equal, or part at one event', async () => {
  const whole = loadScenario('single-flow');
  const flows = whole.flows?.map((flow) => ({ ...flow, bytes: 500_000 }));
  const small = { scenario: { ...whole, ...(flows && { flows }) }, seed: 1 };
  expect(await firstDifference(small, small)).toBeUndefined();
  const { parameters } = small.scenario;
  const other = { ...small.scenario, parameters: { ...parameters, targetUtilization: 0.5 } };
  const found = await firstDifference(small, { scenario: other, seed: 1 });
  expect(found?.equal).toBeGreaterThan(10);
  const [a, b] = found?.events ?? [];
  expect(a).not.toEqual(b);
});

test('a run that nobody waits for any more is not repeated to its end', async () => {
  const gone = AbortSignal.abort(new Error('gone'));
  await expect(travel(run, { fromUs: 200, lengthUs: 1 }, gone)).rejects.toThrow('gone');
  await expect(firstDifference(run, run, gone)).rejects.toThrow('gone');
});

test('a run that ends before another parts from it where it ends', async () => {
  const shorter = { scenario: { ...scenario, untilUs: 60 }, seed: 1 };
  const found = await firstDifference(shorter, { scenario: { ...scenario, untilUs: 90 }, seed: 1 });
  expect(found?.events[0]).toBeNull();
  expect(found?.events[1]?.atUs).toBeGreaterThanOrEqual(60);
  expect(found?.equal).toBeGreaterThan(1000);
});
