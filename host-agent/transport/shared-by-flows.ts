import { INT_FIXED_LENGTH } from '../../common/wire/int-md';
import { hopLength } from '../feedback/feedback-plan';
import { DATA_HEADER_LENGTH } from './frame-template';
import type { CheckedHostConfig } from './host-config';
import { SharedHeaders } from './prepared-headers';
import type { SenderSettings } from './sender';

/** What all flows that a host sends refer to instead of each having its own. */
export interface SharedByFlows {
  readonly headers: SharedHeaders;
  readonly settings: SenderSettings;
}

export function newSharedByFlows(config: CheckedHostConfig): SharedByFlows {
  const { mss, expectedHops, baseRtt, retransmissionTimeout, feedback } = config;
  const settings: SenderSettings = {
    mss,
    headerLength: DATA_HEADER_LENGTH,
    hopLength: hopLength(feedback),
    expectedHops,
    baseRtt,
    retransmissionTimeout,
    collectEvery: feedback.collectBy === 'probe' ? 0 : feedback.collectEvery,
    plainSaving: INT_FIXED_LENGTH,
  };
  return { headers: new SharedHeaders(), settings };
}
