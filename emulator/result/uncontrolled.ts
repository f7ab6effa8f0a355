import type { FlowRecord } from './result';

/**
 * Names the flows that could not react to anything; undefined if there are none.
 * @param total number of flows of the run.
 */
export function uncontrolledText(
  flows: readonly FlowRecord[],
  total = flows.length,
): string | undefined {
  const without = flows.filter(({ uncontrolledUs = 0 }) => uncontrolledUs > 0);
  const [first] = without;
  if (first === undefined) return undefined;
  const which = `the first is flow ${first.id} from ${first.source} to ${first.destination}`;
  return (
    `${without.length} of ${total} flows sent without control (${which}, for ` +
    `${first.uncontrolledUs} us): no feedback came that could be used; see docs/agent.md, "Flows without control"`
  );
}
