import { lighterLoad } from '../experiment/lighter-load';
import { bottleneckOf } from './bottleneck';
import type { Observation } from './observation';

const BITS_PER_BYTE = 8;
const US_PER_SECOND = 1e6;

/**
 * Says that a machine cannot meet the bar of an experiment's queue, where it wakes processes so late that
 * more packets come meanwhile than may wait; undefined where it may meet all bars.
 * @param lateUs lateness of one wake in a hundred, before anything of the experiment runs.
 */
export function lateMachineText(
  { own, network }: Pick<Observation, 'own' | 'network'>,
  lateUs: number,
): string | undefined {
  const { bars, frameBytes } = own.document;
  const isAbsolute = ({ figure, relativeTo }: (typeof bars)[number]): boolean =>
    figure === 'queueP99Packets' && relativeTo === undefined;
  const packets = bars.find(isAbsolute)?.atMost;
  if (packets === undefined) return undefined;
  const { rateBps } = bottleneckOf({ own, network });
  const allowedUs = (packets * frameBytes * BITS_PER_BYTE * US_PER_SECOND) / rateBps;
  if (lateUs <= allowedUs) return undefined;
  return (
    `this machine is too busy now: it wakes one process in a hundred ${inMs(lateUs)} late or more, and ` +
    `${packets} packets take ${inMs(allowedUs)}, so the bar of the queue cannot be met; wait until it is ` +
    `quiet, run with --realtime, or ${lighterLoad(own)}`
  );
}

const inMs = (us: number): string => `${(us / 1000).toFixed(2)} ms`;
