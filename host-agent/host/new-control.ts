import type {
  CongestionControl,
  CongestionControlFactory,
  CongestionEvent,
  FlowEnvironment,
} from '../algorithm/congestion-control';
import { ReceiverGate } from '../coordination/receiver-gate';
import { ReceiverControl } from '../feedback/receiver-control';
import { roundClock } from '../feedback/round-clock';
import type { CheckedHostConfig, ControlledFlow } from './host-config';

/** Makes the congestion control of a flow that a host sends, with its meter and its observer. */
export function newSenderControl(
  config: CheckedHostConfig,
  flow: Omit<ControlledFlow, 'end'>,
  make: CongestionControlFactory = config.congestionControl,
): CongestionControl {
  return metered(config, { ...flow, end: 'sender' }, make);
}

/** Makes the algorithm of a flow that a host receives and controls. */
export function newReceiverControl(
  config: CheckedHostConfig,
  flow: Omit<ControlledFlow, 'end'>,
): ReceiverControl {
  const { congestionControl, baseRtt, feedback, coordination, intHopLimit } = config;
  const gate = coordination && new ReceiverGate(intHopLimit);
  const make = gate?.before(congestionControl) ?? congestionControl;
  const control = metered(config, { ...flow, end: 'receiver' }, make);
  return new ReceiverControl(control, baseRtt, roundClock(feedback.roundsEndBy, baseRtt), gate);
}

function metered(
  config: CheckedHostConfig,
  flow: ControlledFlow,
  make: CongestionControlFactory,
): CongestionControl {
  const { observe, meter } = config;
  const environment: FlowEnvironment = {
    linkRate: config.linkRate,
    baseRtt: config.baseRtt,
    segmentBytes: config.mss,
    ...(observe && { sink: (event: CongestionEvent) => observe(flow.flow, event) }),
  };
  const control = make(environment);
  return meter === undefined ? control : meter(control, flow);
}
