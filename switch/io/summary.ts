import type { SwitchCounters } from '../v1model/switch-counters';
import type { LiveSwitch } from './live/live-switch';

/** What a switch did from its start to its end. */
export interface SwitchSummary {
  /** Frames that interfaces handed to the switch. */
  readonly received: number;
  /** Frames that interfaces took from the switch. */
  readonly sent: number;
  /** Frames that were lost, by cause; causes without a loss are left out. */
  readonly dropped: Readonly<Record<string, number>>;
}

export function summarise(live: LiveSwitch, { drops }: SwitchCounters): SwitchSummary {
  const ports = live.counters();
  const sum = (count: (port: (typeof ports)[number]) => number): number =>
    ports.reduce((total, port) => total + count(port), 0);
  const causes: Record<string, number> = {
    ...drops,
    'receive-overflow': sum(({ overflowed }) => overflowed),
    'receive-oversized': sum(({ oversized }) => oversized),
    'send-refused': sum(({ sendFailed }) => sendFailed),
    'no-interface': live.unattached,
  };
  return {
    received: sum(({ received }) => received),
    sent: sum(({ sent }) => sent),
    dropped: Object.fromEntries(Object.entries(causes).filter(([, count]) => count > 0)),
  };
}
