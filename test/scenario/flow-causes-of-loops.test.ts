import { runScenario } from '../support/shared-runs';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import { COMBINATIONS, nameOf, scenarioOf } from '../support/combinations';
import type { Combination } from '../support/combinations';
import { coveringPairs } from '../support/covering';
import { sampled } from '../support/sampled';

const BYTES = 60_000;
const FLOWS = [1, 2];

type Operation = 'write' | 'read' | 'send';

const kindOf = ({ framing, carrier }: Combination): string => `${framing} ${carrier}`;
const programOf = ({ coordination, carrier }: Combination): string => `${coordination} ${carrier}`;

/** PERF: only switches of the latest few networks are shared, so that those of one program follow each other. */
const tried = [...sampled('combinations', coveringPairs(COMBINATIONS), 2, kindOf)].sort((a, b) =>
  programOf(a).localeCompare(programOf(b)),
);

/** Each pair of carrier, loop, coordination and integrity, over UDP and by each operation of RoCEv2. */
const CASES = tried.flatMap((each) =>
  (each.framing === 'udp' ? (['write'] as const) : (['write', 'read', 'send'] as const)).map(
    (operation: Operation) => [`${nameOf(each)}, ${operation}`, each, operation] as const,
  ),
);

test.each(CASES)(
  'the time of each flow is divided whole: %s',
  async (_, combination, operation) => {
    const whole = scenarioOf(combination);
    const scenario: ScenarioDocument = {
      ...whole,
      flows: whole.flows.map((flow) => ({ ...flow, bytes: BYTES })),
      parameters: { ...whole.parameters, operation },
    };
    const { result } = await runScenario({ scenario, seed: 1, causesOf: FLOWS });
    expect((result.causes ?? []).map(({ flow }) => flow)).toEqual(FLOWS);
    for (const { flow, parts } of result.causes ?? []) {
      const fctUs = result.flows[flow - 1]?.fctUs ?? NaN;
      const sum = parts.reduce((total, { timeUs }) => total + timeUs, 0);
      expect(Math.abs(sum / fctUs - 1)).toBeLessThan(0.001);
      const unknown = parts.find(({ cause }) => cause === 'other')?.timeUs ?? 0;
      expect(unknown / fctUs).toBeLessThan(0.001);
    }
  },
);
