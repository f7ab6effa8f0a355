import { LiveSwitch } from '../../../../switch/io/live/live-switch';
import { summarise } from '../../../../switch/io/start-switch';
import { noDrops } from '../../../../switch/v1model/switch-counters';

describe('the summary of a run', () => {
  test('names the causes of losses and leaves out causes without any', () => {
    const live = new LiveSwitch({ clock: () => 0, onFailure: () => undefined });
    live.transmit(1, { bytes: Uint8Array.of(1), length: 1 });
    const drops = { ...noDrops(), 'ingress-drop': 3 };
    expect(summarise(live, { drops, ports: new Map() })).toEqual({
      received: 0,
      sent: 0,
      dropped: { 'ingress-drop': 3, 'no-interface': 1 },
    });
  });
});
