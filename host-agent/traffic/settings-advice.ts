import { formatIpv4 } from '../../common/topology/topology';
import type { AgreeingAgent } from '../host/agreeing-agent';
import { differenceText } from '../settings/agreement';

/** Names what a peer has otherwise and what to do about it, in a sentence; undefined where all agree. */
export function settingsAdvice({
  differing,
}: Pick<AgreeingAgent, 'differing'>): string | undefined {
  const [first] = differing;
  return first && differenceText(first.differences, formatIpv4(first.peerAddress));
}
