import type { FlowRecord } from './result';

/**
 * Names the flows that could not react to anything; undefined if there are none.
 * @param total number of flows of the run.
 */
export function uncontrolledText(flows: readonly FlowRecord[], total: number): string | undefined {
  const without = flows.filter(({ uncontrolledUs = 0 }) => uncontrolledUs > 0);
  const [first] = without;
  if (first === undefined) return undefined;
  return uncontrolledSentence(first, { count: without.length, total });
}

/** Says that `count` of `total` flows, of which `first` is the first, could not react to anything. */
export function uncontrolledSentence(
  first: FlowRecord,
  { count, total }: { readonly count: number; readonly total: number },
): string {
  const which = `the first is flow ${first.id} from ${first.source} to ${first.destination}`;
  return (
    `${count} of ${total} flows sent without control (${which}, for ` +
    `${first.uncontrolledUs ?? 0} us): no feedback came that could be used; see docs/agent.md, "Flows without control"`
  );
}
