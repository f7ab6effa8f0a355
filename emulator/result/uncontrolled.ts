import type { FlowRecord } from './result';

/** Facts of a run beside its flows. */
export interface RunFacts {
  /** Number of flows of the run. */
  readonly total: number;
  /** False where hosts are linked to each other alone. Default: true. */
  readonly hasSwitches?: boolean;
}

/** Names the flows that could not react to anything; undefined if there are none. */
export function uncontrolledText(
  flows: readonly FlowRecord[],
  facts: RunFacts,
): string | undefined {
  const without = flows.filter(({ uncontrolledUs = 0 }) => uncontrolledUs > 0);
  const [first] = without;
  if (first === undefined) return undefined;
  return uncontrolledSentence(first, { count: without.length, ...facts });
}

/** Says that `count` of `total` flows, of which `first` is the first, could not react to anything. */
export function uncontrolledSentence(
  first: FlowRecord,
  { count, total, hasSwitches = true }: RunFacts & { readonly count: number },
): string {
  const which = `the first is flow ${first.id} from ${first.source} to ${first.destination}`;
  const why = hasSwitches
    ? 'no feedback came that could be used'
    : 'no switch is on their way that could write telemetry';
  return (
    `${count} of ${total} flows sent without control (${which}, for ` +
    `${first.uncontrolledUs ?? 0} us): ${why}; see docs/agent.md, "Flows without control"`
  );
}
