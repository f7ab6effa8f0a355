import type { Registry } from 'prom-client';
import { byLabel, counters, gauges, newRegistry } from '../../common/io/metric-families';
import type { BitsPerSecond, Bytes, PortNumber } from '../../common/units/units';
import type { SwitchCounters } from '../v1model/switch-counters';
import type { LiveSwitch } from './live/live-switch';
import { addPauseMetrics } from './pause-report';
import type { CountedPauses } from './pause-report';

const KINDS = ['received', 'sent', 'overflowed', 'oversized', 'sendFailed'] as const;

/** State of a device that metrics read at each scrape. */
export interface MeasuredDevice {
  counters(): SwitchCounters;
  /** Bytes queued without the packet in service. */
  queueBytes(port: PortNumber): Bytes;
  /** Present where ports share a buffer. */
  readonly pauses?: CountedPauses | undefined;
}

/**
 * All metrics of a switch, read at each scrape.
 * @param linkRates of the ports that have one of their own.
 */
export function switchMetrics(
  live: LiveSwitch,
  device: MeasuredDevice,
  linkRates: ReadonlyMap<PortNumber, BitsPerSecond>,
): Registry {
  const registry = newRegistry();
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
      [...device.counters().ports].flatMap(([port, { rxBytes, txBytes }]) => [
        [{ port: String(port), direction: 'received' }, rxBytes] as const,
        [{ port: String(port), direction: 'sent' }, txBytes] as const,
      ]),
  });
  counters(registry, {
    name: 'hpcc_switch_drops_total',
    help: 'Packets that did not leave the pipeline, by reason',
    labels: ['reason'],
    read: () => [
      ...byLabel('reason', Object.entries(device.counters().drops)),
      [{ reason: 'no-interface' }, live.unattached],
    ],
  });
  gauges(registry, {
    name: 'hpcc_switch_queue_bytes',
    help: 'Bytes that wait at each port',
    labels: ['port'],
    read: () =>
      [...live.ports.keys()].map((port) => [{ port: String(port) }, device.queueBytes(port)]),
  });
  gauges(registry, {
    name: 'hpcc_switch_link_bytes_per_second',
    help: 'Rate at which each port sends, where the switch limits it',
    labels: ['port'],
    read: () => [...linkRates].map(([port, rate]) => [{ port: String(port) }, rate / 8]),
  });
  gauges(registry, {
    name: 'hpcc_switch_interfaces',
    help: 'Interfaces that are attached',
    labels: [],
    read: () => [[{}, live.ports.size]],
  });
  const { pauses } = device;
  if (pauses !== undefined) {
    addPauseMetrics(registry, { pauses, ports: () => live.ports.keys(), now: () => live.now() });
  }
  return registry;
}
