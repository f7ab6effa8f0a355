import type { FlowToken } from '../../../common/wire/hpcc/hpcc-transport';
import { FLOW_TOKEN_LENGTH } from '../../../common/wire/hpcc/hpcc-transport';
import { CCM_TAG_LENGTH } from '../../../common/wire/coordination/ccm-tag';
import { PATH_SHIM_LENGTH } from '../../../common/wire/hpcc/path-shim';
import type { Signals } from '../../algorithm/signals';
import { BaseRtts } from '../../path/base-rtt-prober';
import type { CheckedHostConfig } from '../../host/host-config';
import { reorderSpan } from '../recovery/loss-recovery';
import { FrameOutput } from '../frames/frame-output';
import { dataHeaderLength, SharedHeaders } from '../frames/prepared-headers';
import type { SenderSettings } from './sender-options';

/** Objects that all flows of a host refer to instead of each having its own. */
export interface SharedByFlows {
  readonly output: FrameOutput;
  readonly headers: SharedHeaders;
  readonly settings: SenderSettings;
  /** Base RTTs that the flows have measured, where the host measures T. */
  readonly baseRtts: BaseRtts | undefined;
  /** Cookies of receivers, by address: a further flow to one is accepted from its first packet on. */
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
    takesTurns: config.signals.turns === true,
    timesSegments: config.signals.timesSegments === true,
    // No response is no lack of control where responses tell of long queues.
    needsTelemetry: !['none', 'responses'].includes(config.signals.telemetry),
    obeysReceiver: feedback.algorithmAt === 'receiver',
    ...(config.lossRecovery === 'selective-repeat' && {
      reorderSpan: reorderSpan(linkRate, baseRtt),
    }),
  };
  return {
    output: new FrameOutput({
      trailerBytes: config.trailerBytes,
      memory: config.memory,
      routes: config.sourceRoutes,
    }),
    headers: new SharedHeaders(carrier),
    settings,
    baseRtts: newBaseRtts(config),
    cookies: new Map(),
  };
}

/** Data collects records of hops unless probes do, or nobody wants them. */
const collectEvery = ({ feedback, signals }: CheckedHostConfig): number =>
  feedback.collectBy === 'probe' || signals.telemetry !== 'hops' ? 0 : feedback.collectEvery;

const shimLength = ({ telemetry, timestamps, credits }: Signals): number =>
  telemetry === 'digest' || timestamps || credits === true ? PATH_SHIM_LENGTH : 0;

/**
 * Bytes that a data packet saves when it does not collect telemetry. Under coordination it carries a tag,
 * so that all packets are routed alike.
 */
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
