import { CCM_TAG_LENGTH, parseCcmTag } from '../../wire/coordination/ccm-tag';
import { parseCsig } from '../../wire/csig/csig';
import { WireFault } from '../../wire/fault';
import type { DecodeSettings } from './decode-settings';
import type { FrameLayers } from './frame-layers';
import type { Telemetry } from './telemetry';

/** CSIG and CCM tags in front of the EtherType. They speak of one link at most, and have no hops. */
export const decodeTags = (
  bytes: Uint8Array,
  { tags }: FrameLayers,
  settings: DecodeSettings,
): Telemetry[] =>
  tags.map(({ kind, offset }) =>
    kind === 'csig' ? csig(bytes, offset, settings) : ccm(bytes, offset),
  );

const CSIG_TYPES = ['min-bandwidth', 'min-bandwidth-fraction', 'max-delay', 'max-queue'];

function csig(bytes: Uint8Array, offset: number, { csigDialect }: DecodeSettings): Telemetry {
  const tag = parseCsig(bytes, offset, bytes.length, csigDialect);
  if (tag instanceof WireFault) return { format: 'csig', fault: tag };
  const { type, signal, locator, doNotUpdate } = tag;
  const details = { signalType: CSIG_TYPES[type] ?? `type-${type}`, signalBucket: signal, locator };
  const flag = csigDialect === 'uec' ? { doNotUpdate } : {};
  return { format: 'csig', details: { ...details, ...flag }, hops: [] };
}

function ccm(bytes: Uint8Array, offset: number): Telemetry {
  const tag = parseCcmTag(bytes, offset, Math.min(bytes.length, offset + CCM_TAG_LENGTH));
  if (tag instanceof WireFault) return { format: 'ccm', fault: tag };
  return { format: 'ccm', details: { kind: 'tag', ...tag }, hops: [] };
}
