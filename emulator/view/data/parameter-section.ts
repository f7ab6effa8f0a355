import { SETTINGS } from '../../../host-agent/settings/settings';
import type { Setting } from '../../../host-agent/settings/setting';
import type { Result } from '../../result/result';
import type { PageSection } from './page-data';

/** Meanings of what a result has beside settings. */
const OTHERS: Readonly<Record<string, string>> = {
  baseRttNs: 'T in ns: the longest round trip between hosts on idle links, unless given',
  dataAtHostBytes: 'largest data frame that left a host',
  dataAtBottleneckBytes: 'largest data frame on the bottleneck, with telemetry',
  ackBytes: 'largest acknowledgement',
  segmentBytes: 'payload of a full segment',
  version: 'of this program',
  commit: 'of this program',
  p4Program: 'which the switches ran',
  p4Digest: 'SHA-256 of the compiled program',
  executor: 'how it was run',
  queueModel: 'how ports send what waits',
};

/** Every setting of a run with its value and meaning, and the versions that made the result. */
export function parameterSection({ parameters, generator, frames }: Result): PageSection {
  const rows = Object.entries({ ...parameters, ...frames, ...generator }).map(([name, value]) => [
    name,
    value === null ? (settingOf(name)?.otherwise ?? 'none') : String(value),
    settingOf(name)?.about ?? OTHERS[name] ?? 'constant of the algorithm',
  ]);
  return { title: 'Parameters and versions', rows: [['name', 'value', 'meaning'], ...rows] };
}

const settingOf = (name: string): Setting | undefined =>
  (SETTINGS as Readonly<Record<string, Setting>>)[name];
