import { coordinationSchema } from '../../controller/document/coordination';
import type { CoordinationDocument } from '../../controller/document/coordination';
import type { MacFunction } from '../../host-agent/feedback/key-ring';
import type { CoordinationOptions } from '../../host-agent/coordination/coordination-options';
import { NotificationKeys } from '../../host-agent/coordination/notification-keys';
import type { NetworkPlan } from '../network/plan';
import type { ScenarioDocument } from '../scenario/schema';

/** Intervals for which a host waits for another type 1 before it releases a flow. */
const HOLD_INTERVALS = 10;

/** The coordination section of a scenario; undefined if its switches do not coordinate. */
export function coordinationOf(scenario: ScenarioDocument): CoordinationDocument | undefined {
  const { coordination } = scenario;
  return coordination === undefined ? undefined : coordinationSchema.parse(coordination);
}

/** How every host of the network takes part; undefined if hosts are on their own. */
export function hostCoordination(
  scenario: ScenarioDocument,
  { topology }: NetworkPlan,
  hmac: MacFunction,
): CoordinationOptions | undefined {
  const section = coordinationOf(scenario);
  if (section?.mode !== 'coordinated') return undefined;
  const keys = new NotificationKeys(hmac);
  keys.add(section.key.id, switchKey(section.key.bytes));
  for (const { switch: name, id, bytes } of section.keys) {
    const node = topology.switches.find((each) => each.name === name)?.nodeId;
    keys.add(id, switchKey(bytes), node);
  }
  return {
    keys,
    holdTime: section.holdTime ?? HOLD_INTERVALS * section.interval,
    reroutes: scenario.parameters.sourceRerouting === 'on',
  };
}

const switchKey = (digits: string) => ({
  algorithm: 'siphash-2-4-64' as const,
  bytes: Uint8Array.from(digits.match(/../g) ?? [], (byte) => parseInt(byte, 16)),
});
