import { controlNotes } from '../../../../host-agent/traffic/control-notes';
import type { ControlledTraffic } from '../../../../host-agent/traffic/control-notes';

type Flow = ControlledTraffic['flows'][number];

const FLOW: Flow = { controlAt: 'sender', windowUpdates: 7, withTelemetry: 9 };

const noteOf = (flow: Partial<Flow>, uncontrolledFlows = 0, algorithm?: string): string =>
  controlNotes(
    { flows: [{ ...FLOW, ...flow }], total: { flows: 3, uncontrolledFlows } },
    algorithm,
  ).join('\n');

describe('a note about who controls flows', () => {
  test('is needed where nothing controls them, or another', () => {
    expect(noteOf({})).toBe('');
    expect(noteOf({ windowUpdates: 0, withTelemetry: 0 })).toContain('no telemetry came');
    expect(noteOf({ windowUpdates: 0 })).toContain('no telemetry could be used');
    expect(noteOf({ windowUpdates: 0 }, 0, 'timely')).toBe('');
  });

  test('says that the receiver does only where it had telemetry for its windows', () => {
    const controlAt = 'receiver';
    expect(noteOf({ controlAt })).toMatch(/^controlled by the receiver/);
    expect(noteOf({ controlAt, windowUpdates: 0 }, 3)).toMatch(/^no window came.* uncontrolled/);
    expect(noteOf({ controlAt }, 2)).toBe(
      'windows came from the receiver, which had no telemetry for those of 2 of 3 flows',
    );
  });

  test('tells of responses of switches whether any came', () => {
    expect(noteOf({ switchResponses: 4 })).toContain('4 came');
    expect(noteOf({ switchResponses: 0 })).toContain('none came');
  });
});
