import type { Result } from '../../result/result';
import type { ScenarioDocument } from '../../scenario/schema';

/**
 * Differences between a scenario and the one that a result is of: it would repeat another run. A
 * line per place, in the words of the scenario.
 */
export function scenarioFaults(scenario: ScenarioDocument, result: Result): string[] {
  return [
    ...parameterFaults(scenario.parameters, result.parameters),
    ...flowFaults(listedOf(scenario.flows, result), result.flows),
  ];
}

function parameterFaults(
  { constants, ...parameters }: ScenarioDocument['parameters'],
  had: Result['parameters'],
): string[] {
  return Object.entries({ ...parameters, ...constants }).flatMap(([name, wanted]) => {
    const found = had[name];
    const isSaid = wanted !== undefined && found !== undefined;
    // T that is not given follows from the network.
    if (!isSaid || found === wanted) return [];
    return [`parameters.${name}: ${String(wanted)}, and the result is of ${String(found)}`];
  });
}

/** A result does not have all flows of a large run. */
const listedOf = (
  listed: ScenarioDocument['flows'],
  { flowTotals }: Result,
): ScenarioDocument['flows'] => listed.slice(0, flowTotals?.listed ?? listed.length);

/** Those that are listed come first; others follow from workloads. */
function flowFaults(listed: ScenarioDocument['flows'], had: Result['flows']): string[] {
  return listed.flatMap(({ from, to, bytes }, i) => {
    const found = had[i];
    const wanted = `${from} to ${to}, ${bytes} bytes`;
    if (found === undefined) return [`flows.${i}: ${wanted}, and the result has no such flow`];
    const text = `${found.source} to ${found.destination}, ${found.bytes} bytes`;
    return text === wanted ? [] : [`flows.${i}: ${wanted}, and the result is of ${text}`];
  });
}
