import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';
import * as rows from '../../../../emulator/coordination/observation-rows';
import { ControlPlane } from '../../../../emulator/io/control-plane';
import { loadScenario } from '../../../../emulator/io/inputs/scenario-files';
import { Simulation } from '../../../../emulator/simulation/simulation';
import { CompiledTexts } from '../../../../switch/codegen/compile';
import { executorFactory } from '../../../../switch/codegen/executors';

const EVENTS = 20_000;

/** A part of a run that is all of it, so that everything is told and nothing is sent elsewhere. */
async function observedRun(): Promise<Simulation> {
  const simulation = new Simulation({
    scenario: { ...loadScenario('ccm-both'), untilUs: 200 },
    seed: 1,
    checkInvariants: true,
    mac: hmacSha256,
    executor: executorFactory('generated', { compiled: new CompiledTexts() }),
    part: { has: () => true, exit: { send: () => undefined } },
  });
  const { scenario, plan, devices, seed } = simulation;
  const control = await ControlPlane.start({ scenario, plan, devices, seed });
  try {
    await control.apply();
    simulation.start();
    while (!simulation.isDone) simulation.advance(EVENTS);
  } finally {
    await control.stop();
  }
  return simulation;
}

test('a part tells when its flows begin and end, and which packets arrive', async () => {
  const simulation = await observedRun();
  const batch = simulation.coordination?.log?.take();
  const told = (what: number, column: number): number[] =>
    Array.from({ length: batch?.count ?? 0 }, (_, i) => i * rows.ROW)
      .filter((row) => (batch?.rows[row + rows.WHAT] ?? 0) % rows.WHATS === what)
      .map((row) => batch?.rows[row + column] ?? -1);
  const { flows } = simulation.runner;
  const instants = (what: number): Map<number, number> => {
    const at = told(what, rows.AT);
    return new Map(told(what, rows.FLOW).map((flow, i) => [flow, at[i] ?? -1]));
  };
  const begun = flows.filter(({ startsAt }) => startsAt <= simulation.lastInstant);
  const completed = flows.filter(({ completedAt }) => completedAt !== undefined);
  expect(completed.length).toBeGreaterThan(0);
  expect(instants(rows.FLOW_BEGAN)).toEqual(
    new Map(begun.map(({ number, startsAt }) => [number, startsAt])),
  );
  expect(instants(rows.FLOW_COMPLETED)).toEqual(
    new Map(completed.map(({ number, completedAt }) => [number, completedAt])),
  );
  // Every packet that arrives has been sent, once unless it was sent again.
  const arrived = told(rows.DATA_RECEIVED, rows.PACKET);
  const forwarded = new Set(told(rows.DATA_FORWARDED, rows.PACKET));
  expect(new Set(arrived).size).toBe(arrived.length);
  expect(arrived.length).toBeGreaterThan(100);
  expect(arrived.filter((packet) => !forwarded.has(packet))).toEqual([]);
});
