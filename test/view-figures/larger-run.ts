import type { Browser } from 'playwright-core';
import { runScenario } from '../../emulator/io/run-scenario';
import { parseScenario } from '../../emulator/scenario/schema';
import type { ScenarioDocument, ScenarioInput } from '../../emulator/scenario/schema';
import { finishedRun } from '../../emulator/view/server/finished-run';
import { heapOf } from './page-memory';
import { withShown } from './shown-page';

const TIMES = [1, 100] as const;

const scenarioOf = (input: ScenarioInput): ScenarioDocument =>
  parseScenario(JSON.stringify(input), 'scenario');

/** One flow that lasts so many times as long; its queue is sampled every 100 ns. */
const longer = (times: number): ScenarioDocument =>
  scenarioOf({
    name: 'longer',
    title: `A flow of ${25 * times} MB at 10 Gb/s`,
    topology: { kind: 'star', hosts: 2, rateGbps: 10, delayNs: 1000 },
    flows: [{ from: 'h2', to: 'h1', bytes: 25_000_000 * times, startUs: 0 }],
  });

/** So many times as many hosts, each of which sends a little to its neighbour in the next rack. */
function larger(times: number): ScenarioDocument {
  const rack = 4 * Math.sqrt(times);
  const hosts = rack * rack;
  const nameOf = (i: number): string => `h${(i % hosts) + 1}`;
  return scenarioOf({
    name: 'larger',
    title: `${hosts} hosts`,
    topology: {
      ...{ kind: 'leaf-spine', leaves: rack, spines: 2, hostsPerLeaf: rack },
      ...{ rateGbps: 100, fabricRateGbps: 400, delayNs: 1000 },
    },
    flows: Array.from({ length: hosts }, (_, i) => ({
      ...{ from: nameOf(i), to: nameOf(i + rack), bytes: 20_000, startUs: 0 },
    })),
  });
}

/** Tells what a run and one that is a hundred times as large take, where they are made and shown. */
export async function measureLarger(browser: Browser, tell: (line: string) => void): Promise<void> {
  for (const of of [longer, larger]) {
    for (const times of TIMES) tell(`${times} times: ${await figuresOf(browser, of(times))}`);
  }
}

async function figuresOf(browser: Browser, scenario: ScenarioDocument): Promise<string> {
  const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
  const session = finishedRun({ name: scenario.name, result }, {});
  return withShown(
    browser,
    session,
    async ({ page, readyMs }) =>
      `${scenario.title}, ${result.counters.packetHops} packet-hops: ` +
      `${megabytes(JSON.stringify(result).length)} of result, ` +
      `${megabytes(JSON.stringify(session.page()).length)} of page, ` +
      `${megabytes(await heapOf(page))} in the browser, shown after ${readyMs} ms`,
  );
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;
