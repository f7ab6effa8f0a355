import { algorithmNamed } from '../algorithm/library/algorithms';
import type { FlowTotal, TrafficTotal } from './traffic-report';

/** Figures of flows that say whether something controlled them. */
export interface ControlledTraffic {
  readonly flows: readonly Pick<
    FlowTotal,
    'controlAt' | 'windowUpdates' | 'withTelemetry' | 'switchResponses'
  >[];
  readonly total: Pick<TrafficTotal, 'flows' | 'uncontrolledFlows'>;
}

/** Says where the algorithm runs, or that it has not run. */
export function controlNotes({ flows, total }: ControlledTraffic, algorithm = 'hpccpp'): string[] {
  const isControlled = flows.some(({ windowUpdates }) => windowUpdates > 0);
  if (flows.some(({ controlAt }) => controlAt === 'receiver')) {
    return [isControlled ? receiverNote(total) : NO_WINDOW];
  }
  const responses = flows.flatMap(({ switchResponses = [] }) => switchResponses);
  if (responses.length > 0) return responseNotes(responses);
  if (isControlled || algorithmNamed(algorithm).signals.telemetry !== 'hops') return [];
  return flows.some(({ withTelemetry }) => withTelemetry > 0)
    ? ['no telemetry could be used: windows stayed as they were, uncontrolled']
    : ['no telemetry came: windows stayed as they were, uncontrolled'];
}

const NO_WINDOW =
  'no window came from the receiver, which has no telemetry or other settings: uncontrolled, windows only fell';

function receiverNote({ flows, uncontrolledFlows }: ControlledTraffic['total']): string {
  if (uncontrolledFlows > 0) {
    return `windows came from the receiver, which had no telemetry for those of ${uncontrolledFlows} of ${flows} flows`;
  }
  return 'controlled by the receiver: windows are those that it granted, and it reports U and queues';
}

/** Flows that subscribe without telemetry cannot tell a network without queues from one that never answers. */
function responseNotes(responses: readonly number[]): string[] {
  const all = responses.reduce((sum, each) => sum + each, 0);
  return all > 0
    ? [`controlled by responses of switches alone: ${all} came`]
    : ['to be controlled by responses of switches alone, and none came: windows only grew'];
}
