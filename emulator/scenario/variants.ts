import type { ScenarioInput } from './schema';

type ParameterInput = NonNullable<ScenarioInput['parameters']>;

/** Ways to carry telemetry and its consequences that are compared with each other, by name. */
export const FEEDBACK_VARIANTS: Readonly<Record<string, ParameterInput>> = {
  'per-ack': {},
  'one-in-16': { collectEvery: 16 },
  'delayed-ack': { acknowledgeEvery: 4 },
  notification: { feedback: 'notification' },
  probe: { feedback: 'probe' },
  receiver: { feedback: 'receiver' },
  'hidden-links': { links: 'hidden' },
  'counted-flows': { flowCount: 'receiver' },
};
