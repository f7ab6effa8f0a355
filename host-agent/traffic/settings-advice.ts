import { formatIpv4 } from '../../common/topology/topology';
import type { DifferingPeer } from '../host/agreeing-agent';
import { differenceText } from '../settings/agreement';

/** Names what a peer has otherwise and what to do about it, in a sentence; undefined where all agree. */
export function settingsAdvice([first]: readonly DifferingPeer[]): string | undefined {
  return first && differenceText(first.differences, formatIpv4(first.peerAddress));
}
