import * as fc from 'fast-check';
import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';
import { SharedWork } from '../../../../emulator/io/shared-work';
import { runScenario } from '../../../../emulator/io/run-scenario';
import { parseScenario } from '../../../../emulator/scenario/schema';
import type { ScenarioDocument } from '../../../../emulator/scenario/schema';
import { mergeOutcomes } from '../../../../emulator/simulation/merge-outcomes';
import { outcomeOf } from '../../../../emulator/simulation/outcome';
import { Simulation } from '../../../../emulator/simulation/simulation';
import { Outlets, PartRun } from '../../../../emulator/workers/part-run';
import { shareMemory } from '../../../../emulator/workers/shared-memory';
import { CompiledTexts } from '../../../../switch/codegen/compile';
import { executorFactory } from '../../../../switch/codegen/executors';

const NODES = ['s1', 's2', 's3', 'h1', 'h2', 'h3', 'h4'];
const FLOW_INTERVAL_NS = 1000;
const RING_BYTES = 2 ** 16;
/** Holds a few packets: most windows have more. */
const SMALL_RING = 2 ** 11;

const text = (more: string, lossRate = 0): string => `name: parts
title: Three switches in a row
topology:
  kind: custom
  switches: [s1, s2, s3]
  hosts: [h1, h2, h3, h4]
  links:
    - { between: [s1, h1], rateGbps: 100, delayNs: 1000 }
    - { between: [s1, h2], rateGbps: 100, delayNs: 500 }
    - { between: [s1, s2], rateGbps: 100, delayNs: 2000, lossRate: ${lossRate} }
    - { between: [s2, s3], rateGbps: 40, delayNs: 1000 }
    - { between: [s3, h3], rateGbps: 100, delayNs: 1000 }
    - { between: [s2, h4], rateGbps: 100, delayNs: 1000 }
record: { queueIntervalNs: 500, flowIntervalNs: ${FLOW_INTERVAL_NS} }
${more}`;

const FLOWS = `flows:
  - { from: h1, to: h3, bytes: 60000, startUs: 0 }
  - { from: h2, to: h3, bytes: 60000, startUs: 0 }
  - { from: h3, to: h4, bytes: 20000, startUs: 2.5 }
  - { from: h4, to: h1, bytes: 15000, startUs: 4 }
`;

const KINDS: readonly (readonly [string, ScenarioDocument])[] = [
  ['flows', text(FLOWS)],
  ['losses', text(FLOWS, 0.02)],
  [
    'RoCEv2, fetched',
    text(`${FLOWS}parameters: { framing: rocev2, operation: read, mss: 1024 }\n`),
  ],
  ['receiver feedback', text(`${FLOWS}parameters: { feedback: receiver }\nuntilUs: 60\n`)],
  [
    'a ring of messages',
    text(
      'workloads: [{ kind: ring-all-reduce, name: ring, hosts: [h1, h2, h3, h4], bytes: 30000 }]\n',
    ),
  ],
].map(([kind = '', document = '']) => [kind, parseScenario(document, 'parts.yaml')]);

const shared = new SharedWork();

const compiled = new CompiledTexts();

/** Parts in turns, in one thread: the protocol is that of the threads. */
function runParts(
  scenario: ScenarioDocument,
  owners: ReadonlyMap<string, number>,
  ringBytes: number,
) {
  const workers = Math.max(...owners.values()) + 1;
  const memory = shareMemory(workers, ringBytes);
  const parts = Array.from({ length: workers }, (_, worker) => {
    const place = { worker, workers, owners, memory };
    const exit = new Outlets(place);
    const simulation = new Simulation({
      scenario,
      seed: 1,
      checkInvariants: true,
      mac: hmacSha256,
      executor: executorFactory('generated', { keep: () => '', compiled }),
      part: { has: (node) => owners.get(node) === worker, exit },
    });
    const { plan, devices } = simulation;
    expect(shared.restore({ scenario: simulation.scenario, plan, devices, seed: 1 })).toBe(true);
    simulation.start();
    return { simulation, run: new PartRun(simulation, exit, place) };
  });
  let exchanges = 0;
  for (;;) {
    for (const { run } of parts) expect(run.run()).toBe(true);
    let states: string[];
    do {
      for (const { run } of parts) run.say(false);
      states = parts.map(({ run }) => run.hear());
      expect(new Set(states).size).toBe(1);
      if (states[0] === 'exchanging') exchanges++;
    } while (states[0] === 'exchanging');
    if (states[0] === 'done') break;
  }
  const outcomes = parts.map(({ simulation }) => outcomeOf(simulation));
  return { outcome: mergeOutcomes(outcomes), exchanges };
}

const divisions = fc
  .array(fc.nat(3), { minLength: NODES.length, maxLength: NODES.length })
  .map((owners) => {
    const used = [...new Set(owners)];
    return new Map(NODES.map((node, i) => [node, used.indexOf(owners[i] as number)]));
  });

const ALONE = new Map(NODES.map((node) => [node, 0]));
const EACH = new Map(NODES.map((node, i) => [node, i]));

describe.each(KINDS)('%s, divided in any way', (_kind, scenario) => {
  it('come to the same, byte for byte', async () => {
    await runScenario({ scenario, seed: 1, shared });
    const { outcome } = runParts(scenario, ALONE, RING_BYTES);
    expect(outcome.reports).toEqual([]);
    expect(outcome.flows.every(({ completedAt }) => completedAt !== undefined)).toBe(true);
    const expected = JSON.stringify(outcome);
    fc.assert(
      fc.property(divisions, (owners) => {
        expect(JSON.stringify(runParts(scenario, owners, RING_BYTES).outcome)).toBe(expected);
      }),
      { numRuns: 5, examples: [[EACH]] },
    );
  });
});

it('packets that find no room between two workers arrive all the same', async () => {
  const [, scenario] = KINDS[0] as (typeof KINDS)[number];
  await runScenario({ scenario, seed: 1, shared });
  const { outcome, exchanges } = runParts(scenario, EACH, SMALL_RING);
  expect(exchanges).toBeGreaterThan(0);
  expect(outcome).toEqual(runParts(scenario, ALONE, RING_BYTES).outcome);
});
