import { strict as assert } from 'node:assert';
import { coordinationRow } from '../../emulator/result/comparison';
import type { CoordinationRow } from '../../emulator/result/comparison';
import type { Result } from '../../emulator/result/result';
import { scenarioInMode } from '../../emulator/scenario/variants';
import type { JudgedRun } from '../../emulator/study/io/judge';

/**
 * The scenario of a run with ECMP and with adaptive routing, beside the coordinated run itself: nothing
 * stays unfinished, nothing that is tagged changes its path, and no host refuses a packet. How much each
 * carries and reorders are figures, whose means over the seeds are compared.
 */
export async function judge({ result, scenario, seed, run }: JudgedRun) {
  const coordinated = rowOf(result);
  const ecmp = rowOf(await run(scenarioInMode(scenario, 'ecmp'), seed));
  LAWS[scenario.name]?.(coordinated, ecmp);
  const adaptive = rowOf(await run(scenarioInMode(scenario, 'adaptive'), seed));
  return {
    ...figuresOf('ecmp', ecmp),
    ...figuresOf('adaptive', adaptive),
    ...figuresOf('coordinated', coordinated),
    queuePeakShare: coordinated.queuePeakBytes / ecmp.queuePeakBytes,
    completionShare: coordinated.fctMaxUs / ecmp.fctMaxUs,
    reductionsBelowFair: coordinated.reductionsBelowFair,
    tagged: coordinated.tagged,
  };
}

/** Laws of every single run of a scenario, over UDP and RoCEv2. */
const LAWS: Readonly<
  Record<string, (coordinated: CoordinationRow, ecmp: CoordinationRow) => void>
> = {
  'ccm-imbalance': (coordinated, ecmp) => {
    assert.equal(coordinated.reductionsBelowFair, 0);
    const [took, alone] = [coordinated.completionUs ?? Infinity, ecmp.completionUs ?? Infinity];
    assert(took <= alone, `takes ${took} us, with ECMP ${alone} us`);
  },
  'ccm-incast': (coordinated, ecmp) => {
    assert.equal(coordinated.tagged, 7);
    for (const key of ['queuePeakBytes', 'fctMaxUs'] as const) {
      const [found, bound] = [coordinated[key], 1.05 * ecmp[key]];
      assert(found <= bound, `${key} is ${found}, more than ${bound}`);
    }
  },
};

function rowOf(result: Result): CoordinationRow {
  assert.deepEqual(result.counters.hostRejections, {});
  const row = coordinationRow(result);
  const { unfinished, taggedReroutes } = row;
  assert.deepEqual({ unfinished, taggedReroutes }, { unfinished: 0, taggedReroutes: 0 });
  return row;
}

const figuresOf = (mode: string, { throughputGbps, reordered }: CoordinationRow) => ({
  [`${mode}Gbps`]: throughputGbps,
  [`${mode}Reordered`]: reordered,
});
