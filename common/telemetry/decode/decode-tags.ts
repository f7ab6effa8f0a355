import { CCM_TAG_LENGTH, parseCcmTag } from '../../wire/coordination/ccm-tag';
import { CSIG_WIDE, parseCsig } from '../../wire/csig/csig';
import { WireFault } from '../../wire/fault';
import { decodeNsh } from './decode-ioam';
import type { DecodeSettings } from './decode-settings';
import type { FrameLayers, FrameTag } from './frame-layers';
import type { Telemetry } from './telemetry';

/** Decodes CSIG and CCM tags, which describe one link at most and have no hops, and IOAM behind NSH. */
export const decodeTags = (
  bytes: Uint8Array,
  { tags }: FrameLayers,
  settings: DecodeSettings,
): Telemetry[] => tags.flatMap(({ kind, offset }) => TAG_DECODERS[kind](bytes, offset, settings));

type TagDecoder = (
  bytes: Uint8Array,
  offset: number,
  settings: DecodeSettings,
) => Telemetry | readonly Telemetry[];

const TAG_DECODERS: Readonly<Record<FrameTag, TagDecoder>> = {
  csig: (bytes, offset, settings) => decodeCsig(bytes, offset, settings),
  'csig-wide': (bytes, offset) => csigWide(bytes, offset),
  ccm: (bytes, offset) => ccm(bytes, offset),
  nsh: (bytes, offset, settings) => decodeNsh(bytes, offset, settings),
};

const CSIG_TYPES = ['min-bandwidth', 'min-bandwidth-fraction', 'max-delay', 'max-queue'];

export function decodeCsig(
  bytes: Uint8Array,
  offset: number,
  { csigDialect }: DecodeSettings,
): Telemetry {
  const tag = parseCsig(bytes, offset, bytes.length, csigDialect);
  if (tag instanceof WireFault) return { format: 'csig', fault: tag };
  const { type, signal, locator, doNotUpdate } = tag;
  const details = { signalType: CSIG_TYPES[type] ?? `type-${type}`, signalBucket: signal, locator };
  const tpid = tpidText(tag.tpid);
  const flag = csigDialect === 'uec' ? { doNotUpdate, tpid } : { tpid };
  return { format: 'csig', details: { ...details, ...flag }, hops: [] };
}

const tpidText = (tpid: number): string => `0x${tpid.toString(16).padStart(4, '0')}`;

/** The signal is (value - base) / step, of which only the domain knows base and step. */
function csigWide(bytes: Uint8Array, offset: number): Telemetry {
  const tag = CSIG_WIDE.parse(bytes, offset);
  if (tag instanceof WireFault) return { format: 'csig', fault: tag };
  const { type, signal, locator, doNotUpdate } = tag;
  const details = { kind: 'wide', signalType: CSIG_TYPES[type] ?? `type-${type}`, signal };
  const rest = { locator, doNotUpdate, tpid: tpidText(tag.tpid) };
  return { format: 'csig', details: { ...details, ...rest }, hops: [] };
}

function ccm(bytes: Uint8Array, offset: number): Telemetry {
  const tag = parseCcmTag(bytes, offset, Math.min(bytes.length, offset + CCM_TAG_LENGTH));
  if (tag instanceof WireFault) return { format: 'ccm', fault: tag };
  return { format: 'ccm', details: { kind: 'tag', ...tag }, hops: [] };
}
