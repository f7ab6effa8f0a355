import type { FlowToken } from '../../../common/wire/hpcc/hpcc-transport';
import { FLOW_TOKEN_LENGTH } from '../../../common/wire/hpcc/hpcc-transport';
import { CCM_TAG_LENGTH } from '../../../common/wire/coordination/ccm-tag';
import { PATH_SHIM_LENGTH } from '../../../common/wire/hpcc/path-shim';
import type { Signals } from '../../algorithm/signals';
import { BaseRtts } from '../../path/base-rtt-prober';
import type { CheckedHostConfig } from '../../host/host-config';
import { reorderSpan } from '../recovery/loss-recovery';
import { dataHeaderLength, SharedHeaders } from '../frames/prepared-headers';
import type { SenderSettings } from './sender-options';

/** What all flows that a host sends refer to instead of each having its own. */
export interface SharedByFlows {
  readonly headers: SharedHeaders;
  readonly settings: SenderSettings;
  /** Where the host measures T: what its flows have found out. */
  readonly baseRtts: BaseRtts | undefined;
  /** Of receivers, by address: a further flow to one is believed from its first packet on. */
  readonly cookies: Map<number, FlowToken>;
}

export function newSharedByFlows(config: CheckedHostConfig): SharedByFlows {
  const { mss, expectedHops, linkRate, baseRtt, retransmissionTimeout, feedback } = config;
  const { carrier } = config;
  const settings: SenderSettings = {
    mss,
    headerLength: headerLength(config),
    // Most packets leave the last switch as they left the host.
    hopLength: feedback.switchesChoose ? 0 : carrier.hopLength,
    expectedHops,
    baseRtt,
    retransmissionTimeout,
    collectEvery: collectEvery(config),
    samplesPerWindow: feedback.samplesPerWindow,
    plainSaving: plainSaving(config),
    ...(config.lossRecovery === 'selective-repeat' && {
      reorderSpan: reorderSpan(linkRate, baseRtt),
    }),
  };
  return {
    headers: new SharedHeaders(carrier),
    settings,
    baseRtts: newBaseRtts(config),
    cookies: new Map(),
  };
}

/** Data collects records of hops unless probes do, or nobody wants them. */
const collectEvery = ({ feedback, signals }: CheckedHostConfig): number =>
  feedback.collectBy === 'probe' || signals.telemetry !== 'hops' ? 0 : feedback.collectEvery;

const shimLength = ({ telemetry, timestamps }: Signals): number =>
  telemetry === 'digest' || timestamps ? PATH_SHIM_LENGTH : 0;

/** What data saves that does not ask. Under coordination it carries a tag, so that all is routed alike. */
const plainSaving = ({ signals, coordination, carrier }: CheckedHostConfig): number =>
  carrier.headerLength - shimLength(signals) - (coordination === undefined ? 0 : CCM_TAG_LENGTH);

const headerLength = ({ tokens, carrier, trailerBytes }: CheckedHostConfig): number =>
  dataHeaderLength(carrier) + trailerBytes + (tokens === undefined ? 0 : FLOW_TOKEN_LENGTH);

function newBaseRtts(config: CheckedHostConfig): BaseRtts | undefined {
  const { measureBaseRtt, mss, linkRate, carrier } = config;
  if (measureBaseRtt === undefined) return undefined;
  return new BaseRtts(measureBaseRtt, {
    linkRate,
    dataLength: headerLength(config) + mss,
    probeLength: headerLength(config),
    hopLength: carrier.hopLength,
  });
}
