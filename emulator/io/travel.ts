import { InputError } from '../../common/errors';
import { ORIGIN, microseconds } from '../../common/units/units';
import { PacketTrace } from '../record/packet-trace';
import type { TracedMoment } from '../result/packet-story';
import type { ScenarioDocument } from '../scenario/schema';
import { runScenario } from './run-scenario';
import { traceScene } from './trace-scene';

/** A run that can be repeated. */
export interface RepeatableRun {
  readonly scenario: ScenarioDocument;
  readonly seed: number;
}

/** The part of a run to be looked at. */
export interface MomentWanted {
  readonly fromUs: number;
  readonly lengthUs: number;
  /** Number of a flow; all of them without. */
  readonly flow?: number | undefined;
}

const PACKETS_MAX = 400;
/** Base RTTs for which packets are followed after the window. */
const LINGER_RTTS = 3;

/**
 * Reaches a moment of a run by running it again up to there, and follows the packets of that moment. Equal
 * runs have equal packets.
 * @param signal ends the repeated run early.
 * @throws InputError when the run ends before.
 */
export async function travel(
  { scenario, seed }: RepeatableRun,
  { fromUs, lengthUs, flow }: MomentWanted,
  signal?: AbortSignal,
): Promise<TracedMoment> {
  const from = ORIGIN + microseconds(fromUs);
  let trace: PacketTrace | undefined;
  const { result } = await runScenario({
    scenario,
    seed,
    checkInvariants: false,
    ...(signal && { signal }),
    observer: (simulation) => {
      const window = { from, to: from + microseconds(lengthUs), flow, packetsMax: PACKETS_MAX };
      const linger = LINGER_RTTS * simulation.baseRtt;
      return (trace = new PacketTrace({ ...window, linger }, traceScene(simulation)));
    },
  });
  signal?.throwIfAborted();
  if (trace === undefined || result.durationUs < fromUs) {
    throw new InputError(`the run ends at ${result.durationUs} us, before ${fromUs} us`);
  }
  return trace.moment();
}
