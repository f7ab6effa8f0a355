import type { DataPort } from '../../switch/io/live/data-port';
import type { FrameHandler } from '../../common/io/net/packet-ring';

/** Takes up to `limit` frames that have arrived at a port, as a turn of the switch does; how many. */
export function drainPort(
  port: Pick<DataPort, 'open' | 'take' | 'giveBack'>,
  limit: number,
  handle: FrameHandler,
): number {
  const count = port.open(limit);
  for (let i = 0; i < count; i++) port.take(handle);
  port.giveBack();
  return count;
}
