import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';
import { ObservationLog } from '../../../../emulator/coordination/observation-log';
import { loadScenario } from '../../../../emulator/io/inputs/scenario-files';
import { mergeOutcomes } from '../../../../emulator/simulation/merge-outcomes';
import { nodeNames } from '../../../../emulator/simulation/observe-coordination';
import { outcomeOf } from '../../../../emulator/simulation/outcome';
import { Simulation } from '../../../../emulator/simulation/simulation';
import { CompiledTexts } from '../../../../switch/codegen/compile';
import { executorFactory } from '../../../../switch/codegen/executors';

function newSimulation(): Simulation {
  return new Simulation({
    scenario: loadScenario('ccm-both'),
    seed: 1,
    checkInvariants: true,
    mac: hmacSha256,
    executor: executorFactory('generated', { keep: () => '', compiled: new CompiledTexts() }),
  });
}

describe('laws that no part of a run can judge', () => {
  it('are judged where the parts come together, at the time at which they were broken', () => {
    const simulation = newSimulation();
    const replay = simulation.newReplay(2);
    const place = { now: 70, rank: 0 };
    const nodes = nodeNames(simulation.plan);
    const [one, other] = [new ObservationLog(place, nodes), new ObservationLog(place, nodes)];
    one.dataArrived('leaf1', 1, 5);
    place.now = 80;
    other.dataArrived('spine1', 1, 5);
    place.now = 90;
    one.dataArrived('leaf1', 1, 5);
    replay?.add(0, one.take());
    replay?.add(1, other.take());
    const reports = [{ at: 90, text: 'leaf1: packet 5 has been here before' }];
    expect(simulation.checker.reports).toEqual(reports);
    const part = outcomeOf(newSimulation());
    expect(part.reports).toEqual([]);
    expect(mergeOutcomes([part, part], simulation.checker).reports).toEqual(reports);
  });
});
