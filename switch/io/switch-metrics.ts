import { Registry } from 'prom-client';
import { byLabel, counters, gauges } from '../../common/io/metric-families';
import type { SwitchCounters } from '../v1model/switch-counters';
import type { LiveSwitch } from './live/live-switch';

const KINDS = ['received', 'sent', 'overflowed', 'oversized', 'sendFailed'] as const;

/** All metrics of a switch, read at each scrape. */
export function switchMetrics(live: LiveSwitch, device: () => SwitchCounters): Registry {
  const registry = new Registry();
  counters(registry, {
    name: 'hpcc_switch_frames_total',
    help: 'Frames of each interface by what became of them',
    labels: ['port', 'interface', 'kind'],
    read: () =>
      [...live.ports.values()].flatMap((one) => {
        const values = one.counters();
        const place = { port: String(one.port), interface: one.interfaceName };
        return KINDS.map((kind) => [{ ...place, kind }, values[kind]] as const);
      }),
  });
  counters(registry, {
    name: 'hpcc_switch_bytes_total',
    help: 'Bytes of packets of each port of the pipeline',
    labels: ['port', 'direction'],
    read: () =>
      [...device().ports].flatMap(([port, { rxBytes, txBytes }]) => [
        [{ port: String(port), direction: 'received' }, rxBytes] as const,
        [{ port: String(port), direction: 'sent' }, txBytes] as const,
      ]),
  });
  counters(registry, {
    name: 'hpcc_switch_drops_total',
    help: 'Packets that did not leave the pipeline, by reason',
    labels: ['reason'],
    read: () => [
      ...byLabel('reason', Object.entries(device().drops)),
      [{ reason: 'no-interface' }, live.unattached],
    ],
  });
  gauges(registry, {
    name: 'hpcc_switch_interfaces',
    help: 'Interfaces that are attached',
    labels: [],
    read: () => [[{}, live.ports.size]],
  });
  return registry;
}
