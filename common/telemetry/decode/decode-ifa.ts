import { WireFault } from '../../wire/fault';
import { IFA_FLAG_CHECKSUM, IFA_FLAG_FRAGMENTED, IFA_FLAG_IN_BAND } from '../../wire/ifa/ifa2';
import { IFA_FLAG_TAIL_STAMP, ifaMetadataLength, parseIfaMetadata } from '../../wire/ifa/ifa2';
import type { IfaHeader } from '../../wire/ifa/ifa2';
import { IFA1_MARKERS, parseIfa1 } from '../../wire/ifa/ifa1';
import { ifa1Hops, ifaHops } from '../ifa-hops';
import type { DecodeSettings } from './decode-settings';
import type { Telemetry } from './telemetry';
import { startsWith } from './frame-layers';
import type { IpLayer, TransportLayer } from './frame-layers';

/** Their headers have no published layout, so what follows them has no known place. */
const UNREADABLE = IFA_FLAG_CHECKSUM | IFA_FLAG_FRAGMENTED | IFA_FLAG_TAIL_STAMP;

/** IFA 2 by its IP protocol, IFA 1 by its probe markers. */
export function decodeIfa(
  bytes: Uint8Array,
  ip: IpLayer,
  transport: TransportLayer,
  settings: DecodeSettings,
): DecodedIfa | undefined {
  if (ip.ifa !== undefined) return ifa2(bytes, ip.ifa, transport, settings);
  const { payloadOffset: at, end, protocol } = transport;
  if (protocol !== 'udp' || !startsWith(bytes, { at, end }, IFA1_MARKERS)) return undefined;
  const ifa = parseIfa1(bytes, at, end);
  if (ifa instanceof WireFault) return unreadable(ifa, end);
  const { records, ...details } = ifa;
  const hops = ifa1Hops({ ...details, records }, settings.units);
  const telemetry: Telemetry[] = [{ format: 'ifa', details: { version: 1, ...details }, hops }];
  return { telemetry, payloadOffset: end };
}

/** IFA of a packet, and where what follows it begins. */
export interface DecodedIfa {
  readonly telemetry: readonly Telemetry[];
  readonly payloadOffset: number;
}

const unreadable = (fault: WireFault, end: number): DecodedIfa => ({
  telemetry: [{ format: 'ifa', fault }],
  payloadOffset: end,
});

function ifa2(
  bytes: Uint8Array,
  header: IfaHeader,
  { payloadOffset, offset, end }: TransportLayer,
  settings: DecodeSettings,
): DecodedIfa {
  if ((header.flags & UNREADABLE) !== 0) {
    const reason = `flags must be without C, TS and MF, found 0x${header.flags.toString(16)}`;
    return unreadable(new WireFault('ifa', offset - 2, reason), end);
  }
  const metadata = parseIfaMetadata(bytes, payloadOffset, end);
  if (metadata instanceof WireFault) return unreadable(metadata, end);
  const { version, globalNamespace, flags, wordsMax } = header;
  const { request, action, hopLimit } = metadata;
  const inBand = (flags & IFA_FLAG_IN_BAND) !== 0;
  const header2 = { version, globalNamespace, inBand, wordsMax, request, action, hopLimit };
  const details = { ...header2, flags, nextHeader: header.nextHeader };
  return {
    telemetry: [{ format: 'ifa', details, hops: ifaHops(metadata, settings.units) }],
    payloadOffset: payloadOffset + ifaMetadataLength(metadata),
  };
}
